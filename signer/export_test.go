package signer

import "github.com/walletfi/walletfi-go/internal/visitors"

// Routes are the methods and paths that the signer serves.
func (s *Signer) Routes() (all []string) {
	for _, r := range s.routes() {
		all = append(all, r.Method+" "+r.Path)
	}
	return all
}

// MaxConnections is how many connections a user may hold open.
const MaxConnections = visitors.Most
