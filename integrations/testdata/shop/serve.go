package main

import (
	"context"
	"errors"
	"net/http"
	"os"
	"os/signal"
	"time"
)

// grace is how long requests may go on once the service is asked to end.
const grace = 5 * time.Second

// serve answers requests until the process is interrupted.
func serve(addr string, handler http.Handler) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	service := &http.Server{
		Addr:              addr,
		Handler:           handler,
		ReadHeaderTimeout: time.Second,
		IdleTimeout:       time.Minute,
	}
	ended := make(chan error, 1)
	go func() { ended <- service.ListenAndServe() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := service.Shutdown(last); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
