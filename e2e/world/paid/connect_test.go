package paid

import (
	"io"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/rpcnode"

	"github.com/walletfi/walletfi-go"
)

// road is the way of a process's requests: it stands still and ends with the
// process.
type road struct {
	p    *proc
	base http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (r road) RoundTrip(req *http.Request) (*http.Response, error) {
	p := r.p
	n := p.count(atRequest)
	died := p.hit(atRequest, n, false)
	if !p.pass() || died {
		return nil, errDead
	}
	resp, err := r.base.RoundTrip(req)
	died = p.hit(atRequest, n, true)
	if !p.pass() || died {
		if err == nil {
			io.Copy(io.Discard, resp.Body) //nolint:errcheck // nobody reads it
			resp.Body.Close()
		}
		return nil, errDead
	}
	return resp, err
}

// patience is the timeout of HTTP clients. A timeout that cannot be reached costs
// a timer for each request.
func (s *stage) patience() time.Duration {
	for _, e := range s.plan.World.Services {
		if e.Profile.Hang > 0 {
			return 30 * time.Second
		}
	}
	return 0
}

// connect makes the clients of the nodes that the process's machine uses, and
// what a wallet sends through and asks.
func (p *proc) connect() (walletfi.Submitter, walletfi.Confirmer, error) {
	m := p.m
	ends := m.endpoints
	if m.doors {
		ends = append(ends[:len(ends):len(ends)], m.second)
	}
	for _, e := range ends {
		base := e.Direct(p.line)
		if p.s.plan.Pipes {
			base = e.Transport(p.line)
		}
		node, err := rpcnode.New(rpcnode.Config{
			URL:        walletfi.NewSecret(e.URL()),
			HTTPClient: &http.Client{Transport: road{p, base}, Timeout: p.s.patience()},
			Clock:      p.clock, Commitment: m.reads, SkipPreflight: m.skipPreflight, MaxRetries: m.maxRetries,
		})
		if err != nil {
			return nil, nil, err
		}
		p.nodes = append(p.nodes, node)
	}
	if len(m.endpoints) == 1 {
		return p.nodes[0], p.nodes[0], nil
	}
	pool, err := rpcnode.NewPool(rpcnode.PoolConfig{Nodes: p.nodes[:len(m.endpoints)]})
	if err != nil {
		return nil, nil, err
	}
	return pool, pool, nil
}
