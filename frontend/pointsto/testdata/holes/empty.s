// This file lets functions be declared without body.
