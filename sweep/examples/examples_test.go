package examples

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/empire-go/empire-go/sweep/jetstream"
	"github.com/empire-go/empire-go/sweep/jetstream/jetstreamtest"
)

// TestExamples reads each example as its system does, as far as that can be done without it, and runs the command that
// comes of it: the worker connects with its token, finds no task and ends.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	dir := t.TempDir()
	command := filepath.Join(dir, "empire-go")
	build := exec.Command("go", "build", "-tags", "pool", "-o", command, "../../cmd/empire-go")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	files := jetstreamtest.Certificates(t)
	address := jetstreamtest.Addresses(t, 1)[0]
	line := "worker pool " + strings.Repeat("0123456789abcdef", 2)
	roles, err := jetstream.ParseRoles(line)
	if err != nil {
		t.Fatal(err)
	}
	token := filepath.Join(dir, "token")
	if err := os.WriteFile(token, []byte(line+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	node, err := jetstream.StartNode(t.Context(), jetstream.NodeOptions{Dir: t.TempDir(), Listen: address, Roles: roles,
		TLS: &jetstream.TLSFiles{Cert: files.Cert, Key: files.Key, CA: files.CA}})
	if err != nil {
		t.Fatal(err)
	}
	defer node.Stop()
	here := strings.NewReplacer("tls://pool.example.com:4222", "tls://"+address, "/etc/empire/token", token,
		"/etc/empire/ca.pem", files.CA, "1m", "1s")
	for name, commandOf := range map[string]func(t *testing.T, text string) []string{
		"kubernetes.yaml": ofJob, "slurm.sh": ofArray, "condor.sub": ofSubmit,
	} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			words := commandOf(t, here.Replace(string(text)))
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, words[0], words[1:]...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"),
				"EMPIRE_TOKEN="+token, "EMPIRE_CA="+files.CA, "SLURM_CPUS_PER_TASK=4")
			if words[0] == "empire-go" {
				cmd.Path, cmd.Err = command, nil
			}
			copyFile(t, files.CA, filepath.Join(dir, "ca.pem"))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%q: %v\n%s", words, err, out)
			}
		})
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// ofJob returns the command of the container of a Kubernetes Job, whose volumes are all there.
func ofJob(t *testing.T, text string) []string {
	var job struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Spec       struct {
			Parallelism int
			Template    struct {
				Spec struct {
					RestartPolicy string `yaml:"restartPolicy"`
					Containers    []struct {
						Command, Args []string
						VolumeMounts  []struct{ Name string } `yaml:"volumeMounts"`
					}
					Volumes []struct{ Name string }
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(text), &job); err != nil {
		t.Fatal(err)
	}
	pod := job.Spec.Template.Spec
	if job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Spec.Parallelism < 1 || len(pod.Containers) != 1 ||
		pod.RestartPolicy != "OnFailure" {
		t.Fatalf("no job: %+v", job)
	}
	for _, m := range pod.Containers[0].VolumeMounts {
		if !slices.Contains(pod.Volumes, struct{ Name string }{m.Name}) {
			t.Errorf("no volume %s", m.Name)
		}
	}
	return slices.Concat(pod.Containers[0].Command, pod.Containers[0].Args)
}

// ofArray writes the script of a Slurm array to a file; bash has to understand it.
func ofArray(t *testing.T, text string) []string {
	name := filepath.Join(t.TempDir(), "slurm.sh")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("bash", "-n", name).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if !strings.Contains(text, "\n#SBATCH --array=") || strings.LastIndex(text, "#SBATCH") > strings.Index(text, "set -") {
		t.Error("the directives of Slurm come before the first command")
	}
	return []string{"bash", name}
}

// ofSubmit returns the command of a submit file of HTCondor: names and values, and in the end queue.
func ofSubmit(t *testing.T, text string) []string {
	values := map[string]string{}
	last := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		last = line
		if name, value, ok := strings.Cut(line, "="); ok && !strings.HasPrefix(line, "queue") {
			values[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	if !strings.HasPrefix(last, "queue ") || values["universe"] != "vanilla" || values["transfer_input_files"] == "" {
		t.Errorf("no submit file: %q, %q", values, last)
	}
	return append([]string{values["executable"]}, strings.Fields(values["arguments"])...)
}
