package cpds

import (
	"fmt"
	"slices"
)

// Validate tells whether the system is well formed; engines require it. The error
// names the component and what is wrong with it.
//
// Names of actions, of controls and of symbols are there and unique among their
// kind; references are in range; alphabets ascend and have all actions of the
// component's rules; and a rule pushes at most two symbols.
func Validate(s *System) error {
	if len(s.Components) == 0 {
		return fmt.Errorf("the system has no component; write component NAME")
	}
	if err := checkNames("action", s.Actions); err != nil {
		return err
	}
	for i, c := range s.Components {
		if c == nil {
			return fmt.Errorf("component %d is nil", i)
		}
		if err := validateComponent(s, c); err != nil {
			return fmt.Errorf("component %q: %w", c.Name, err)
		}
	}
	return nil
}

func validateComponent(s *System, c *Component) error {
	if c.Name == "" {
		return fmt.Errorf("it has no name; write component NAME")
	}
	if c.Kind > Monitor {
		return fmt.Errorf("there is no kind %d; write Thread, Lock, Unit, Monitor or Other", c.Kind)
	}
	if err := checkNames("control", c.Controls); err != nil {
		return err
	}
	if err := checkNames("symbol", c.Symbols); err != nil {
		return err
	}
	for i, a := range c.Alphabet {
		if !within(a, s.Actions) {
			return fmt.Errorf("there is no action %d; there are %d", a, len(s.Actions))
		}
		if i > 0 && c.Alphabet[i-1] >= a {
			return fmt.Errorf("the alphabet does not ascend at action %q", s.Actions[a])
		}
	}
	for i, r := range c.Rules {
		if err := c.checkRule(s, r); err != nil {
			return fmt.Errorf("rule %d: %w", i, err)
		}
	}
	if err := c.checkConfiguration(c.Initial.Control, c.Initial.Stack); err != nil {
		return fmt.Errorf("initial: %w", err)
	}
	for _, f := range c.Final {
		if err := c.checkConfiguration(f.Control, f.Stack); err != nil {
			return fmt.Errorf("final: %w", err)
		}
	}
	return nil
}

func (c *Component) checkRule(s *System, r Rule) error {
	if err := c.checkConfiguration(r.From, []int{r.Top}); err != nil {
		return err
	}
	if err := c.checkConfiguration(r.To, r.Push); err != nil {
		return err
	}
	if len(r.Push) > 2 {
		return fmt.Errorf("it pushes %d symbols; write at most 2, and a rule more", len(r.Push))
	}
	if r.Action == Tau {
		return nil
	}
	if !within(r.Action, s.Actions) {
		return fmt.Errorf("there is no action %d; there are %d", r.Action, len(s.Actions))
	}
	if _, ok := slices.BinarySearch(c.Alphabet, r.Action); !ok {
		return fmt.Errorf("action %q is not in the alphabet; add it", s.Actions[r.Action])
	}
	return nil
}

func (c *Component) checkConfiguration(control int, stack []int) error {
	if !within(control, c.Controls) {
		return fmt.Errorf("there is no control %d; there are %d", control, len(c.Controls))
	}
	for _, s := range stack {
		if !within(s, c.Symbols) {
			return fmt.Errorf("there is no symbol %d; there are %d", s, len(c.Symbols))
		}
	}
	return nil
}

func checkNames(kind string, names []string) error {
	seen := make(map[string]bool, len(names))
	for i, name := range names {
		if name == "" {
			return fmt.Errorf("%s %d has no name; write one", kind, i)
		}
		if seen[name] {
			return fmt.Errorf("two %ss are named %q; write different names", kind, name)
		}
		seen[name] = true
	}
	return nil
}

func within[T any](i int, all []T) bool { return i >= 0 && i < len(all) }
