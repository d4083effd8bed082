package payments

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/services"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// Config configures Payments.
type Config struct {
	DB      *store.DB
	Clients *services.Clients
	Signer  *client.Client // holds the users' keys
	Pins    map[string][]signing.PublicKey
	Log     *slog.Logger
	// Changed is called after a payment's state has changed.
	Changed func(userID, paymentID string)
	// Observer is notified of guard, signatures, sends and confirmations; may be nil.
	Observer observe.Observer
}

// Payments prepares and executes the payments of all users.
type Payments struct {
	Config
	guard  *signing.Guard
	wallet *wallet.Wallet
	fees   *fees

	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
}

// lease is how long a restarted process leaves alone what a killed one held.
const lease = 5 * time.Second

// New makes the guard and the wallet that all users share, and goes on with what
// an earlier process left.
func New(ctx context.Context, cfg Config) (*Payments, error) {
	node := cfg.Clients.Node
	p := &Payments{Config: cfg, fees: &fees{client: cfg.Clients.AMM}}
	// The simulator shows the guard which amounts arrive, the resolver what lookup
	// tables hold.
	p.guard = signing.NewGuard(signing.Policy{Pins: cfg.Pins, Simulator: node, Resolver: node, Tokens: cfg.Clients.Tokens})
	var err error
	if p.wallet, err = wallet.New(wallet.Config{
		Guard: p.guard, Node: node, Journal: cfg.DB.Journal(),
		Lease: lease, Observer: cfg.Observer,
	}); err != nil {
		return nil, err
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	if err := p.resume(ctx); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Close stops following payments. What was sent may still land: the journal and
// the database have it for the next start.
func (p *Payments) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.cancel()
	p.running.Wait()
	if err := p.wallet.Close(); err != nil {
		p.Log.Error("closing the wallet", "error", err)
	}
}

// start runs f in the background, unless Close was called.
func (p *Payments) start(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.running.Go(f)
	}
}
