//go:build !unix && !windows

package jetstream

import (
	"errors"
	"os"
)

func lockFile(*os.File) error { return errors.New("files cannot be locked on this system") }
