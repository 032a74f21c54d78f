// Allows a function without body in this package.
