// Command shop sells things over HTTP: a small service with a stock, a cache of prices and statistics.
package main

import (
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"strconv"

	"example.com/shop/store"
)

func main() {
	s := newServer(store.New(), store.NewPrices(load), &store.Stats{})
	s.stock.Deliver("apple", 100)
	if err := serve("localhost:8080", s.routes()); err != nil {
		log.Fatal(err)
	}
}

// load asks another service for a price.
func load(name string) (int, error) {
	if name == "" {
		return 0, errors.New("no such thing")
	}
	return 10 * len(name), nil
}

// server answers requests.
type server struct {
	stock  *store.Stock
	prices *store.Prices
	stats  *store.Stats
}

func newServer(stock *store.Stock, prices *store.Prices, stats *store.Stats) *server {
	return &server{stock, prices, stats}
}

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /stock", s.list)
	mux.HandleFunc("POST /deliver/{name}", s.deliver)
	mux.HandleFunc("POST /buy/{name}", s.buy)
	mux.HandleFunc("GET /stats", s.report)
	return s.counted(mux)
}

// counted counts requests and failures.
func (s *server) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := &status{ResponseWriter: w, code: http.StatusOK}
		next.ServeHTTP(seen, r)
		s.stats.Count(seen.code >= 400)
	})
}

// status remembers the code of a response.
type status struct {
	http.ResponseWriter
	code int
}

// WriteHeader remembers the code.
func (s *status) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code)
}

func (s *server) list(w http.ResponseWriter, r *http.Request) {
	kinds, pieces := s.stock.Size()
	answer(w, map[string]int{"kinds": kinds, "pieces": pieces})
}

func (s *server) deliver(w http.ResponseWriter, r *http.Request) {
	n, err := amount(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.stock.Deliver(r.PathValue("name"), n)
	answer(w, "delivered")
}

func (s *server) buy(w http.ResponseWriter, r *http.Request) {
	n, err := amount(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	price, err := s.prices.Of(r.PathValue("name"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	if !s.stock.Take(r.PathValue("name"), n) {
		http.Error(w, "not enough in stock", http.StatusConflict)
		return
	}
	answer(w, map[string]string{"price": withTax(r.PathValue("name"), n, cents(price)).String()})
}

func (s *server) report(w http.ResponseWriter, r *http.Request) {
	requests, failures := s.stats.Report()
	answer(w, map[string]int{"requests": requests, "failures": failures})
}

// amount is the number of pieces that a request asks for.
func amount(r *http.Request) (int, error) {
	n, err := strconv.Atoi(r.FormValue("n"))
	if err != nil || n <= 0 {
		return 0, errors.New("n is not a positive number")
	}
	return n, nil
}

// answer writes a value.
func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		log.Print(err)
	}
}
