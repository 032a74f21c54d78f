package jetstream

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// dirLock is the right to use a directory, which the server does not see to itself.
type dirLock struct{ file *os.File }

// BusyError is a directory that another process uses.
type BusyError struct {
	Dir     string
	Process int // 0: not known
}

func (e *BusyError) Error() string {
	if e.Process == 0 {
		return fmt.Sprintf("%s is used by another process", e.Dir)
	}
	return fmt.Sprintf("%s is used by process %d", e.Dir, e.Process)
}

// errLocked is why a file cannot be locked at once.
var errLocked = errors.New("it is locked")

// lockDir takes a directory, which is made if it is not there. The end of the process gives it back, however it
// comes.
func lockDir(dir string) (*dirLock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	name := filepath.Join(dir, "lock")
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lockFile(file); err != nil {
		file.Close()
		if !errors.Is(err, errLocked) {
			return nil, err
		}
		text, _ := os.ReadFile(name) // without it the process is not known
		process, _ := strconv.Atoi(strings.TrimSpace(string(text)))
		return nil, &BusyError{dir, process}
	}
	err = file.Truncate(0)
	if err == nil {
		_, err = fmt.Fprintln(file, os.Getpid())
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return &dirLock{file}, nil
}

func (l *dirLock) release() { l.file.Close() }
