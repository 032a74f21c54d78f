// Command lease_given_back_early_fixed passes a lease around through a channel with
// room for one.
package main

import "sync"

// Lease belongs to whoever has taken it out of the channel.
type Lease struct {
	owner string
	since int
}

// leases has the lease while nobody owns it.
var leases = make(chan *Lease, 1)

// renew makes somebody the owner.
func renew(owner string, now int) {
	lease := <-leases
	lease.owner = owner
	lease.since = now
	leases <- lease
}

// overdue reports whether an owner has had the lease for long.
func overdue(now int) (string, bool) {
	lease := <-leases
	owner := lease.owner
	since := lease.since
	leases <- lease
	return owner, now-since > 100
}

func main() {
	leases <- &Lease{owner: "nobody"}
	var wg sync.WaitGroup
	for _, owner := range []string{"ann", "bob"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			renew(owner, 40)
		}()
	}
	wg.Add(1)
	go func() {
		defer wg.Done()
		if owner, late := overdue(50); late && owner == "nobody" {
			panic("nobody is late")
		}
	}()
	wg.Wait()
	<-leases
}
