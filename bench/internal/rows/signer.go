package rows

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	service "github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// Rows of the signer are real time, since a durable write waits for the disk. They are not part
// of the check: the disk is the machine's.
func signers() []Row {
	const group = "Signer"
	return []Row{
		{Group: group, Name: "signer, a request with its durable writes, p50", Unit: "ms", Goal: 5, Bound: 10,
			Unheld: true, Measure: signerRequest},
		{Group: group, Name: "signer, the two durable writes of a request, p50", Unit: "ms", Goal: 5, Bound: 10,
			Unheld: true, Measure: signerWrites},
		{Group: group, Name: "signer, 8 clients at once", Unit: "ms a request", Goal: 5, Bound: 10,
			Unheld: true, Measure: signerBusy},
	}
}

// ledgerNode answers what a payment is judged by, from memory. The rest of Node is not asked for.
type ledgerNode struct{ service.Node }

var genesis = someKey("genesis").String()

func (ledgerNode) Identity() string                        { return "memory" }
func (ledgerNode) Genesis(context.Context) (string, error) { return genesis, nil }

func (ledgerNode) FinalHead(context.Context) (walletfi.Head, error) {
	return walletfi.Head{Slot: 1000, Height: 900}, nil
}

func (ledgerNode) FinalTime(context.Context, uint64) (time.Time, error) { return time.Now(), nil }

func (ledgerNode) BlockhashValid(_ context.Context, hash string) (walletfi.BlockhashState, error) {
	return walletfi.BlockhashState{Valid: hash != "", AsOfSlot: 1032}, nil
}

func (ledgerNode) BlockhashAge(context.Context) (uint64, error) { return 151, nil }

func (ledgerNode) LookupTable(context.Context, signing.PublicKey) (signing.LookupTable, error) {
	return signing.LookupTable{}, signing.ErrUnknown
}

func (ledgerNode) Simulate(context.Context, signing.SimulationRequest) (*signing.Simulation, error) {
	return nil, signing.ErrUnknown
}

// SignatureStatuses knows no transaction, so that all stay open.
func (ledgerNode) SignatureStatuses(_ context.Context, all []string) (walletfi.SignatureStatuses, error) {
	return walletfi.SignatureStatuses{Statuses: make([]walletfi.SignatureStatus, len(all)), AsOfSlot: 1032}, nil
}

func (n ledgerNode) Accounts(ctx context.Context, keys []signing.PublicKey) ([]signing.AccountState, error) {
	return n.AccountsSince(ctx, keys, 0)
}

func (ledgerNode) AccountsSince(
	_ context.Context, keys []signing.PublicKey, _ uint64,
) ([]signing.AccountState, error) {
	states := make([]signing.AccountState, len(keys))
	for i := range states {
		states[i].Lamports = 1e15
	}
	return states, nil
}

// withSigner runs work with a signer whose windows it does not fill.
func withSigner(work func(*service.Signer) (Figure, error)) (f Figure, err error) {
	key, err := signing.NewLocalKey(signer)
	if err != nil {
		return f, err
	}
	policy, err := service.ParsePolicy([]byte(fmt.Sprintf(`version = 1
genesis = "%s"
fees = {network = 5_000}
owner = [{name = "bot", key = "%s", ceiling = [
	{mint = "SOL", transaction = 1_000_000_000, window = [{length = "1h", most = 1_000_000_000_000_000}]}]}]
client = [{name = "trader", uid = 1, owners = ["bot"], services = [""], share = 100, rate = 100000}]
payee = [{name = "friend", address = "%s"}]`, genesis, key.PublicKey(), someKey("friend"))))
	if err != nil {
		return f, err
	}
	dir, err := os.MkdirTemp("", "signer")
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := service.Open(context.Background(), service.Config{
		Policy: policy, Store: filepath.Join(dir, "db"), Anchor: filepath.Join(dir, "anchor"),
		LogKey: ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)), Keys: []signing.Signer{key},
		Nodes: []service.Node{ledgerNode{}},
	})
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.Settle(context.Background()); err != nil {
		return f, err
	}
	return work(s)
}

// signerSample is how many requests are timed.
func signerSample(e Effort) int { return 10 * e.Turns }

// signerPays are requests for payments, each another one.
func signerPays(n int) (all []signing.SetRequest, err error) {
	for i := range n {
		raw, err := unsignedTx(transfers(1, uint64(i+1), someKey("friend"))...)
		if err != nil {
			return nil, err
		}
		all = append(all, signing.SetRequest{Count: 1, Unsigned: walletfi.Unsigned{
			Transactions: encoded(raw), Intent: walletfi.Intent{
				Owner: payer().String(), PayTo: []string{someKey("friend").String()},
				Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(i + 1)}},
			},
		}})
	}
	return all, nil
}

func signedFor(s *service.Signer, q signing.SetRequest) error {
	d, err := s.SignSet(context.Background(), "trader", q)
	if err != nil {
		return err
	}
	return want(len(d.Signatures) == 1, "no signature")
}

// median runs something n times and returns the median of the real times.
func median(n int, operation func(i int) error) (Figure, error) {
	took := make([]time.Duration, n)
	for i := range took {
		began := time.Now()
		if err := operation(i); err != nil {
			return Figure{}, err
		}
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	return Figure{Value: took[n/2].Seconds() * 1e3}, nil
}

func signerRequest(e Effort) (Figure, error) {
	return withSigner(func(s *service.Signer) (Figure, error) {
		all, err := signerPays(signerSample(e))
		if err != nil {
			return Figure{}, err
		}
		return median(len(all), func(i int) error { return signedFor(s, all[i]) })
	})
}

// signerWrites times the writes of a request: an entry with its anchor before the signature and one after it.
func signerWrites(e Effort) (Figure, error) {
	return withSigner(func(s *service.Signer) (Figure, error) {
		return median(signerSample(e), func(int) error {
			ctx := context.Background()
			return errors.Join(s.Thaw(ctx, "bench", ""), s.Thaw(ctx, "bench", ""))
		})
	})
}

func signerBusy(e Effort) (Figure, error) {
	return withSigner(func(s *service.Signer) (Figure, error) {
		const clients = 8
		all, err := signerPays(signerSample(e))
		if err != nil {
			return Figure{}, err
		}
		failed := make([]error, clients)
		var done sync.WaitGroup
		began := time.Now()
		for c := range clients {
			done.Go(func() {
				for i := c; i < len(all) && failed[c] == nil; i += clients {
					failed[c] = signedFor(s, all[i])
				}
			})
		}
		done.Wait()
		return Figure{Value: time.Since(began).Seconds() * 1e3 / float64(len(all))}, errors.Join(failed...)
	})
}
