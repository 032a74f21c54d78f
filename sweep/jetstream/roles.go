package jetstream

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
)

// Role is what somebody may do who has its token.
type Role struct {
	Kind  string // Coordinator, Worker or Cluster
	Name  string // of a worker: its answers carry it, and it can write no others
	Token string
}

// The kinds of roles.
const (
	Coordinator = "coordinator" // plans sweeps, and reads and writes everything
	Worker      = "worker"      // takes tasks, reads sources, and hands in what it has found
	Cluster     = "cluster"     // is a node
)

// Roles are those that a node knows. As an Authentication of the server they say who may do what.
type Roles []Role

// minToken is how long a token has to be: of random digits, that is as much as nobody can try.
const minToken = 22

var isName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,60}$`).MatchString

// ParseRoles reads a file of tokens. Each line has a role, the name of a worker, and a token; # begins a comment.
//
//	coordinator TOKEN
//	worker NAME TOKEN
//	cluster TOKEN
func ParseRoles(text string) (Roles, error) {
	var all Roles
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		role := Role{Kind: words[0], Token: words[len(words)-1]}
		isRole := role.Kind == Coordinator || role.Kind == Cluster
		switch {
		case role.Kind == Worker && len(words) == 3:
			role.Name = words[1]
		case isRole && len(words) == 2:
		default:
			return nil, fmt.Errorf("line %d: is no role; write coordinator TOKEN, worker NAME TOKEN or cluster TOKEN", number)
		}
		if role.Kind == Worker && !isName(role.Name) {
			return nil, fmt.Errorf("line %d: %q is no name; write letters, digits, - and _", number, role.Name)
		}
		if len(role.Token) < minToken {
			return nil, fmt.Errorf("line %d: the token is short; write %d random characters or more", number, minToken)
		}
		for _, other := range all {
			if other.Token == role.Token {
				return nil, fmt.Errorf("line %d: the token is that of another role; write another one", number)
			}
		}
		all = append(all, role)
	}
	if len(all) == 0 {
		return nil, errors.New("has no token; write a line such as coordinator TOKEN")
	}
	return all, nil
}

// cluster returns the name and the password of nodes among themselves.
func (r Roles) cluster() (name, password string) {
	for _, role := range r {
		if role.Kind == Cluster {
			return Cluster, role.Token
		}
	}
	return "", ""
}

// Has tells whether there is a role of the kind.
func (r Roles) Has(kind string) bool {
	for _, role := range r {
		if role.Kind == kind {
			return true
		}
	}
	return false
}

// Check is part of server.Authentication: it lets somebody in who has a token, as what the token is for.
func (r Roles) Check(c server.ClientAuthentication) bool {
	given := sha256.Sum256([]byte(c.GetOpts().Token))
	for _, role := range r {
		known := sha256.Sum256([]byte(role.Token))
		if role.Kind == Cluster || subtle.ConstantTimeCompare(given[:], known[:]) == 0 {
			continue
		}
		user := &server.User{Username: role.Kind}
		if role.Kind == Worker {
			user = &server.User{Username: role.Kind + " " + role.Name, Permissions: permissions(role.Name)}
		}
		c.RegisterUser(user)
		return true
	}
	return false
}

// permissions returns what a worker may write and read: requests for tasks of a sweep, signs of life for those that
// it has, its own answers and its own state, and requests for sources.
func permissions(name string) *server.Permissions {
	objects := "OBJ_" + objectBucket
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			subjectOf("*", "result", name), subjectOf("*", "state", name),
			"$JS.API.STREAM.NAMES", "$JS.API.STREAM.INFO." + objects,
			// Only streams of tasks have a consumer with this name.
			"$JS.API.CONSUMER.INFO.*." + workersName, "$JS.API.CONSUMER.MSG.NEXT.*." + workersName,
			"$JS.ACK.*." + workersName + ".>",
			"$JS.API.DIRECT.GET." + objects, "$JS.API.DIRECT.GET." + objects + ".>",
			"$JS.API.STREAM.MSG.GET." + objects,
			"$JS.API.CONSUMER.CREATE." + objects + ".>", "$JS.API.CONSUMER.DELETE." + objects + ".>",
			"$JS.API.CONSUMER.MSG.NEXT." + objects + ".>", "$JS.ACK." + objects + ".>",
			"$JS.FC." + objects + ".>",
			"$JS.API.STREAM.INFO.KV_" + answerBucket, "$JS.API.DIRECT.GET.KV_" + answerBucket + ".>",
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{inboxOf(name) + ".>"}},
	}
}

// inboxOf returns where the server answers a client: a worker may not read what is for others.
func inboxOf(name string) string {
	sum := sha256.Sum256([]byte(name))
	return "_INBOX_" + hex.EncodeToString(sum[:8])
}
