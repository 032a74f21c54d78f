package command

import (
	"bufio"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// dash stands for standard input or standard output in the place of the name of a file.
const dash = "-"

// openFile opens a file, or standard input.
func openFile(cmd *cobra.Command, name string) (io.ReadCloser, error) {
	if name == dash {
		return io.NopCloser(cmd.InOrStdin()), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, asInputError(name, fileReason(err))
	}
	return f, nil
}

// checkFile rejects a name that no file can be written to.
func checkFile(flag, name string) error {
	if name == dash {
		return nil
	}
	if name == "" {
		return inputError(flag, "needs the name of a file; write %s FILE", flag)
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return inputError(flag, "%s is a directory; write the name of a file", name)
	}
	if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
		return inputError(flag, "no directory %s; create it or write another name", filepath.Dir(name))
	}
	return nil
}

// writeFile writes a file, or standard output; if that fails there is no file. What is no file, as a device, stays.
func writeFile(flag, name string, stdout io.Writer, write func(io.Writer) error) error {
	if err := checkFile(flag, name); err != nil {
		return err
	}
	if name == dash {
		return buffered(flag, stdout, write)
	}
	f, err := os.Create(name)
	if err != nil {
		return asInputError(flag, err)
	}
	err = buffered(flag, f, write)
	if closed := f.Close(); err == nil {
		err = asInputError(flag, closed)
	}
	if info, _ := os.Lstat(name); err != nil && info != nil && info.Mode().IsRegular() {
		os.Remove(name)
	}
	return err
}

// buffered writes through a buffer. What write itself says is wrong is returned as it is.
func buffered(flag string, w io.Writer, write func(io.Writer) error) error {
	out := bufio.NewWriter(w)
	if err := write(out); err != nil {
		return err
	}
	return asInputError(flag, out.Flush())
}
