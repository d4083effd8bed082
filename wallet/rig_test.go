package wallet_test

import (
	"context"
	"crypto/ed25519"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const lastValid = 1100

// chain is a ledger that does what a test tells it: it is the submitter, the
// confirmer, the source of heads, and shows its truth. It makes a block each 400 ms.
type chain struct {
	*wallet.Honest
	mu     sync.Mutex
	born   map[string]wallet.Head // of blockhashes; others are of the beginning
	begun  time.Time
	sent   []walletfi.Signed
	height uint64 // at the beginning
	asked  int
	// submit decides on the n-th submission, counted from 0; nil sends.
	submit func(n int, tx walletfi.Signed) error
	// names is the signature that the submitter tells; nil tells the transaction's.
	names func(tx walletfi.Signed) string
	// status decides on each question; nil says confirmed to what was sent.
	status func(asked int, signature string) (walletfi.SignatureStatus, error)
}

func newChain(t testing.TB, height uint64) *chain {
	c := &chain{begun: time.Now(), height: height, born: map[string]wallet.Head{}}
	c.Honest = &wallet.Honest{T: t, Tip: c.tip, Status: c.look, Block: func(blockhash string) wallet.Head {
		c.mu.Lock()
		defer c.mu.Unlock()
		if block, ok := c.born[blockhash]; ok {
			return block
		}
		return wallet.Head{Slot: c.height + 1000, Height: c.height}
	}}
	return c
}

// look is the ledger's status of a signature.
func (c *chain) look(signature string) (walletfi.SignatureStatus, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known(signature)
}

func (c *chain) Submit(_ context.Context, tx walletfi.Signed) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.sent)
	if c.submit != nil {
		if err := c.submit(n, tx); err != nil {
			return "", err
		}
	}
	c.sent = append(c.sent, tx)
	if c.names != nil {
		return c.names(tx), nil
	}
	return tx.Signature, nil
}

// gone lists the transactions that were sent so far.
func (c *chain) gone() []walletfi.Signed {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.sent)
}

// submissions is how many transactions were sent so far.
func (c *chain) submissions() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.sent)
}

func (c *chain) SignatureStatus(_ context.Context, signature string) (walletfi.SignatureStatus, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	return c.known(signature)
}

func (c *chain) known(signature string) (walletfi.SignatureStatus, error) {
	if c.status != nil {
		return c.status(c.asked, signature)
	}
	for _, tx := range c.sent {
		if tx.Signature == signature {
			return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 7}, nil
		}
	}
	return walletfi.SignatureStatus{}, nil
}

func (c *chain) SignatureStatuses(ctx context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	statuses := make([]walletfi.SignatureStatus, len(signatures))
	for i, signature := range signatures {
		var err error
		if statuses[i], err = c.SignatureStatus(ctx, signature); err != nil {
			return walletfi.SignatureStatuses{}, err
		}
	}
	head, _ := c.Head(ctx)
	return walletfi.SignatureStatuses{Statuses: statuses, AsOfSlot: head.Slot}, nil
}

const slotTime = 400 * time.Millisecond

// tip is the newest block.
func (c *chain) tip() wallet.Head {
	c.mu.Lock()
	defer c.mu.Unlock()
	height := c.height + uint64(time.Since(c.begun)/slotTime)
	return wallet.Head{Slot: height + 1000, Height: height}
}

// Head is the newest block that the node has.
func (c *chain) Head(context.Context) (head walletfi.Head, err error) {
	tip := c.tip()
	return walletfi.Head{Slot: tip.Slot - c.Lag, Height: tip.Height - c.Lag}, nil
}

func (c *chain) BlockHeight(ctx context.Context) (uint64, error) {
	head, err := c.Head(ctx)
	return head.Height, err
}

// rig is a wallet on a chain of a test's own.
type rig struct {
	*chain
	wallet  *wallet.Wallet
	journal wallet.Journal // nil if the wallet has its own
	owner   solana.PublicKey
	shop    solana.PublicKey
}

func newRig(t *testing.T) *rig {
	t.Helper()
	return newRigWith(t, func(*wallet.Config) {})
}

func newRigWith(t *testing.T, change func(*wallet.Config)) *rig {
	t.Helper()
	key, err := signing.NewLocalKeyFromSeed(make([]byte, ed25519.SeedSize))
	require.NoError(t, err)
	guard := signing.NewGuard(signing.Policy{})
	r := &rig{chain: newChain(t, 1001), owner: solana.PublicKey(key.PublicKey()), shop: solana.PublicKey{5}}
	cfg := wallet.Config{
		Signer: key, Guard: guard, Submitter: r.chain, Confirmer: r.chain, Heights: r.chain, Journal: wallet.NewMemoryJournal(),
	}
	change(&cfg)
	r.wallet, err = wallet.New(cfg)
	require.NoError(t, err)
	r.journal = cfg.Journal
	t.Cleanup(func() { require.NoError(t, r.wallet.Close()) })
	return r
}

// unproven takes from a wallet's node what it can show, so that what is not found stays
// unknown.
func unproven(c *wallet.Config) {
	ledger := c.Confirmer.(*chain)
	c.Confirmer, c.Heights = struct {
		walletfi.Confirmer
		walletfi.BatchConfirmer
	}{ledger, ledger}, nil
}

// pay is n transactions that pay a lamport each to the shop.
func (r *rig) pay(t *testing.T, n int) walletfi.Unsigned {
	t.Helper()
	u := walletfi.Unsigned{
		LastValidBlockHeight: lastValid,
		Intent: walletfi.Intent{
			Service: "test", Owner: r.owner.String(), PayTo: []string{r.shop.String()},
			Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(n)}},
		},
	}
	for i := range n {
		u.Transactions = append(u.Transactions, r.transfer(t, 1, byte(i+1)))
	}
	return u
}

// transfer pays lamports to the shop, on a blockhash that salt makes, of the block that
// is the newest when it is built first.
func (r *rig) transfer(t *testing.T, lamports uint64, salt byte) walletfi.Base64Transaction {
	t.Helper()
	tip, blockhash := r.tip(), solana.Hash{salt}.String()
	r.mu.Lock()
	if _, ok := r.born[blockhash]; !ok {
		r.born[blockhash] = tip
	}
	r.mu.Unlock()
	tx, err := solana.NewTransaction(
		[]solana.Instruction{system.NewTransferInstruction(lamports, r.owner, r.shop).Build()},
		solana.Hash{salt}, solana.TransactionPayer(r.owner))
	require.NoError(t, err)
	tx.Signatures = make([]solana.Signature, 1)
	text, err := tx.ToBase64()
	require.NoError(t, err)
	return walletfi.Base64Transaction(text)
}

// entry is the journal's entry of a key.
func (r *rig) entry(t *testing.T, key string) wallet.Entry {
	t.Helper()
	e, err := r.journal.Load(t.Context(), key)
	require.NoError(t, err)
	return e
}

// open lists what is not settled.
func (r *rig) open(t *testing.T) []wallet.Unsettled {
	t.Helper()
	all, err := r.wallet.Unsettled(t.Context())
	require.NoError(t, err)
	return all
}

// soon is a context for a call that must end on its own.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	t.Cleanup(cancel)
	return ctx
}
