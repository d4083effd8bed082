package world

import (
	"cmp"
	"net/http"
	"strconv"
)

// firstPort is the port of the first endpoint.
const firstPort = 20000

// Endpoint is an address with one node or a balancer.
type Endpoint struct {
	w     *World
	cfg   EndpointConfig
	index int
	seed  uint64

	given  map[string][]byte // by method, the last answers, if they are mixed up
	latest []byte            // of those
	window int64             // the second for which used counts
	used   int
}

func newEndpoint(w *World, index int) *Endpoint {
	cfg := w.cfg.Services[index]
	cfg.Name = cmp.Or(cfg.Name, "rpc"+strconv.Itoa(index))
	if len(cfg.Nodes) == 0 {
		cfg.Nodes = []int{index}
	}
	for _, n := range cfg.Nodes {
		if n < 0 || n >= len(w.nodes) {
			panic("world: endpoint " + cfg.Name + " has no node " + strconv.Itoa(n))
		}
	}
	return &Endpoint{w: w, cfg: cfg, index: index, seed: draw(w.cfg.Seed, forRoute, uint64(index))}
}

// Name returns the name in the configuration.
func (e *Endpoint) Name() string { return e.cfg.Name }

// Rate is how many requests a second the endpoint takes, 0 if it has no limit.
func (e *Endpoint) Rate() int { return e.cfg.Profile.Rate }

// URL returns the address: http://127.0.0.1:20000/ and so on, a port for each
// endpoint. Nothing listens there; only the clients of this package reach it.
func (e *Endpoint) URL() string { return "http://" + e.host() + "/" }

func (e *Endpoint) host() string { return "127.0.0.1:" + strconv.Itoa(firstPort+e.index) }

// Client returns a client whose connections run along line, in memory.
func (e *Endpoint) Client(line *Line) *http.Client { return &http.Client{Transport: e.Transport(line)} }

// Transport returns the transport of [Endpoint.Client]: HTTP/1.1 over
// net.Pipe. It reaches every endpoint of the world by its URL.
func (e *Endpoint) Transport(line *Line) http.RoundTripper { return line.transport }

// Direct returns a transport that answers like [Endpoint.Transport], with the
// same times, faults and cuts, but without connections, for speed. It reaches
// every endpoint of the world by its URL.
func (e *Endpoint) Direct(line *Line) http.RoundTripper { return direct{line} }

// Honest reports whether no node of the endpoint lies.
func (e *Endpoint) Honest() bool {
	for _, n := range e.cfg.Nodes {
		if e.w.nodes[n].cfg.Liar != Honest {
			return false
		}
	}
	return true
}

// answersHistory names the methods that a balancer by method sends to its
// archive; the statuses are among them only if history is searched.
var answersHistory = map[string]bool{
	"getBlock":                true,
	"getBlocks":               true,
	"getBlocksWithLimit":      true,
	"getBlockTime":            true,
	"getFirstAvailableBlock":  true,
	"getSignaturesForAddress": true,
	"getTransaction":          true,
	"minimumLedgerSlot":       true,
}

// sticks is how long, in nanoseconds, a sticky balancer keeps to a node.
const sticks = 20e9

// route picks the node for a call.
func (e *Endpoint) route(q *query, at int64) *Node {
	nodes := e.cfg.Nodes
	pick := 0
	switch e.cfg.Balance {
	case BalanceSticky:
		pick = int(draw(e.seed, forSticky, uint64(at/sticks)) % uint64(len(nodes)))
	case BalanceByMethod:
		archive := answersHistory[q.method]
		if q.method == "getSignatureStatuses" && len(q.params) > 1 {
			archive = q.params[1].get("searchTransactionHistory").isTrue()
		}
		if archive {
			pick = len(nodes) - 1
		}
	default:
		pick = int(draw(e.seed, forRoute, q.key, uint64(at)) % uint64(len(nodes)))
	}
	return e.w.nodes[nodes[pick]]
}
