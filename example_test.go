package empire_test

import (
	"context"
	"fmt"
	"log"

	empire "github.com/empire-go/empire-go"
)

// Check whatever is worth it in a package, and say what is violated.
func ExampleRun() {
	result, err := empire.Run(context.Background(), empire.Request{Packages: []string{"./testdata/counter"}})
	if err != nil {
		log.Fatal(err) // an *empire.InputError says what to write instead
	}
	for _, query := range result.Queries {
		fmt.Println(query.Type, query.Fields, query.Site, query.Verdict)
		for _, s := range query.Scenarios {
			if s.Verdict == empire.VerdictViolation {
				fmt.Println(" ", s.Name, s.Locations)
			}
		}
	}
	// Output:
	// github.com/empire-go/empire-go/testdata/counter.Stats [refused requests] testdata/counter/main.go:26:7 violation
	//   unrepeatable-read [requests]
	//   overwritten-before-read [requests]
	//   inconsistent-write [requests refused]
	//   inconsistent-observation [requests refused]
	//   inconsistent-read [requests refused]
}

// Load packages once, and ask several questions about them.
func ExampleOpen() {
	ctx := context.Background()
	session, err := empire.Open(ctx, empire.Request{Packages: []string{"./testdata/counter"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, fields := range []string{"requests", "refused"} {
		request := empire.Request{Type: "Stats", Fields: []string{fields}}
		programs, err := session.Programs(ctx, request)
		if err != nil {
			log.Fatal(err)
		}
		for _, program := range programs {
			queries, err := program.Queries(ctx)
			if err != nil {
				log.Fatal(err)
			}
			for _, query := range queries {
				answer, _, err := query.Answer(ctx)
				if err != nil {
					log.Fatal(err)
				}
				fmt.Println(query.Fields, answer.Verdict)
			}
		}
	}
	// Output:
	// [requests] violation
	// [refused] safe
}

// List what is worth checking, with the evidence.
func ExampleCandidates() {
	found, err := empire.Candidates(context.Background(), empire.Request{Packages: []string{"./testdata/counter"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range found.Candidates {
		fmt.Println(c.Fields, "guarded by", c.Guard)
		for _, e := range c.Evidence[:2] {
			fmt.Println("-", e)
		}
	}
	// Output:
	// [refused requests] guarded by mu
	// - mu is held at all accesses to requests (2) and refused (1)
	// - requests and refused are accessed together in (*Stats).Handle
}

// Look at the model that a query is decided on. esl.Print prints it.
func ExampleModel() {
	model, err := empire.Model(context.Background(), empire.Request{Packages: []string{"./testdata/counter"},
		Type: "Stats", Fields: []string{"requests", "refused"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(model.Processes), "goroutines")
	for _, l := range model.Locks {
		fmt.Println("lock", l.Name)
	}
	// Output:
	// 2 goroutines
	// lock stats1.mu
}
