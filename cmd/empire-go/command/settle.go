package command

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/accept"
	"github.com/empire-go/empire-go/report"
)

// settleFlags say which violations are known.
type settleFlags struct{ baseline, newFrom string }

func addSettleFlags(cmd *cobra.Command) *settleFlags {
	s := &settleFlags{}
	cmd.Flags().StringVar(&s.baseline, "baseline", "", "the `FILE` of known violations, or none (default: "+
		accept.BaselineFile+" in the root of the module, if it is there)")
	cmd.Flags().StringVar(&s.newFrom, "new-from", "", "report only what was not there in the git `revision`, which is "+
		"checked as well")
	return s
}

// check rejects what cannot be found, before anything long is begun.
func (s *settleFlags) check(cmd *cobra.Command) error {
	if cmd.Flags().Changed("new-from") {
		if _, err := git(cmd.Context(), "rev-parse", "--verify", "--quiet", s.newFrom+"^{commit}"); err != nil {
			return inputError("--new-from", "git knows no revision %q here; write one, such as main or HEAD~1", s.newFrom)
		}
	}
	if s.baseline != "" && s.baseline != dash && s.baseline != "none" {
		if _, err := os.Stat(s.baseline); err != nil {
			return inputError("--baseline", "no file %s; empire-go baseline writes one", s.baseline)
		}
	}
	return nil
}

// settle marks what is known of the violations of a result, and says what of comments and
// baselines is of no use any more. Where the query is named, that is left open.
func (s *settleFlags) settle(cmd *cobra.Command, request empire.Request, named bool, r *empire.Result) error {
	report.SetCauses(r)
	stderr := cmd.ErrOrStderr()
	whole := !named && accept.Complete(r) && cmd.Context().Err() == nil
	for _, idle := range accept.Comments(r) {
		class, _ := accept.SplitID(idle.ID)
		// An id without class may be that of a finding of a class that was not asked for.
		if whole && idle.Named && accept.IsAsked(request, class) {
			fmt.Fprintf(stderr, "empire-go: %s: //empire:ignore %s accepts nothing; leave it out, or move it to a line of the "+
				"interleaving\n", idle.Pos, idle.ID)
		}
	}
	b, name, err := s.read(cmd, r.ModuleRootDir)
	if err != nil {
		return err
	}
	if b != nil {
		expired, stale := b.Accept(r, name, time.Now())
		for _, k := range expired {
			fmt.Fprintf(stderr, "empire-go: %s: %s has expired on %s, and counts again: %s\n", name, k.ID, k.Expires, k.What)
		}
		for _, k := range stale {
			if whole && b.Covers(request) && accept.IsAsked(request, k.Class) {
				fmt.Fprintf(stderr, "empire-go: %s: %s is not there any more; leave it out, or write empire-go baseline\n",
					name, k.ID)
			}
		}
	}
	if s.newFrom == "" {
		return nil
	}
	old, err := resultOf(cmd.Context(), request, s.newFrom)
	if wrong := new(empire.InputError); errors.As(err, &wrong) && wrong.What != "--new-from" {
		fmt.Fprintf(stderr, "empire-go: %s: cannot be checked, so that all is new: %s\n", s.newFrom, oneLine(err))
		return nil
	}
	if err == nil {
		accept.Old(r, old, s.newFrom)
	}
	return err
}

// read reads the baseline; nil if there is none.
func (s *settleFlags) read(cmd *cobra.Command, root string) (*accept.Baseline, string, error) {
	name := s.baseline
	switch name {
	case "none":
		return nil, "", nil
	case "":
		name = filepath.Join(root, accept.BaselineFile)
		if _, err := os.Stat(name); err != nil {
			return nil, "", nil
		}
	}
	file, err := openFile(cmd, name)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	b, err := accept.ReadBaseline(file)
	short := fromHere(name)
	return b, short, asInputError(short, err)
}

// fromHere names a file from the current directory, if it is below that.
func fromHere(name string) string {
	here, err := os.Getwd()
	if err != nil {
		return name
	}
	if rel, err := filepath.Rel(here, name); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return name
}

// resultOf answers a request about a revision of the repository that the current directory is in.
func resultOf(ctx context.Context, request empire.Request, revision string) (*empire.Result, error) {
	dir, err := os.MkdirTemp("", "empire-go-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	prefix, err := git(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	top, err := git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	archive := exec.CommandContext(ctx, "git", "-C", top, "archive", "--format=tar", revision)
	var said strings.Builder
	archive.Stderr = &said
	out, err := archive.StdoutPipe()
	if err == nil {
		err = archive.Start()
	}
	if err != nil {
		return nil, asInputError("--new-from", err)
	}
	unpacked := unpack(dir, out)
	io.Copy(io.Discard, out) // so that it can end
	if err := archive.Wait(); err != nil {
		return nil, inputError("--new-from", "%s", firstLineOf(said.String()))
	}
	if unpacked != nil {
		return nil, asInputError("--new-from", unpacked)
	}
	request.Dir = filepath.Join(dir, filepath.FromSlash(prefix))
	if request.Packages, err = movedTo(request.Packages, top, dir); err != nil {
		return nil, err
	}
	return empire.Run(ctx, request)
}

// movedTo names packages that are given by absolute paths in the other directory.
func movedTo(packages []string, from, to string) ([]string, error) {
	moved := slices.Clone(packages)
	for i, p := range moved {
		if !filepath.IsAbs(p) {
			continue
		}
		rel, err := filepath.Rel(from, p)
		if err != nil || !filepath.IsLocal(rel) {
			return nil, inputError("--new-from", "%s is not in the repository; leave it out", p)
		}
		moved[i] = filepath.Join(to, rel)
	}
	return moved, nil
}

// git returns what git prints, without the line end.
func git(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", args...).Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return "", inputError("--new-from", "%s", firstLineOf(string(exit.Stderr)))
	}
	return strings.TrimSpace(string(out)), asInputError("--new-from", err)
}

// firstLineOf returns the first line of what git says is wrong.
func firstLineOf(said string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	return strings.TrimPrefix(line, "fatal: ")
}

// unpack writes the directories and files of an archive into a directory.
func unpack(dir string, archive io.Reader) error {
	for in := tar.NewReader(archive); ; {
		head, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		name := filepath.Join(dir, filepath.FromSlash(head.Name))
		if !filepath.IsLocal(filepath.FromSlash(head.Name)) {
			continue
		}
		switch head.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(name, 0o755)
		case tar.TypeReg:
			if err = os.MkdirAll(filepath.Dir(name), 0o755); err == nil {
				err = writeFile(name, name, nil, func(w io.Writer) error {
					_, err := io.Copy(w, in)
					return err
				})
			}
		}
		if err != nil {
			return err
		}
	}
}
