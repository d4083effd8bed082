package signer_test

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

const (
	slotTime = 400 * time.Millisecond
	finality = 32
	sol      = 1_000_000_000
	baseFee  = 5000
)

var (
	ownerKey = signingtest.Key("owner")
	owner    = ownerKey.PublicKey()
	payee    = signingtest.Key("payee").PublicKey()
	thief    = signingtest.Key("thief").PublicKey()
	rescue   = signingtest.Key("rescue").PublicKey()
	program  = signingtest.Key("program").PublicKey()
	nonce    = signingtest.Key("nonce").PublicKey()
	genesis  = keyed("genesis")
	begin    = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	logKey   = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	public   = logKey.Public().(ed25519.PublicKey)
)

func keyed(text string) string { return signing.PublicKey(sha256.Sum256([]byte(text))).String() }

// clock is a process's clock. What waits on it goes on at once.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) AfterFunc(_ time.Duration, f func()) func() bool {
	go f()
	return func() bool { return false }
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// chain is a ledger with a block in each slot.
type chain struct {
	mu       sync.Mutex
	clock    *clock // of the signer's process, which moves with the ledger
	slot     uint64
	born     map[string]uint64 // the height of a blockhash's block
	executed map[string]execution
	raw      map[string][]byte
	messages map[string]string // the signatures under which they were executed
	simulate func(signing.SimulationRequest) (*signing.Simulation, error)
	effects  map[string]*walletfi.Effects
	accounts map[signing.PublicKey]signing.AccountState
	unshown  bool // no node shows accounts of a slot
}

type execution struct {
	slot uint64
	err  string
}

func newChain() *chain {
	return &chain{
		clock: &clock{now: begin}, slot: 10_000, born: map[string]uint64{}, executed: map[string]execution{},
		messages: map[string]string{}, raw: map[string][]byte{},
		effects: map[string]*walletfi.Effects{}, accounts: map[signing.PublicKey]signing.AccountState{},
	}
}

// at is the ledger's time of a slot.
func at(slot uint64) time.Time { return begin.Add(time.Duration(slot-10_000) * slotTime) }

func head(slot uint64) walletfi.Head { return walletfi.Head{Slot: slot, Height: slot - 500} }

// pass lets time pass, for the ledger and the process.
func (c *chain) pass(d time.Duration) {
	c.mu.Lock()
	slots := uint64(d / slotTime)
	c.slot += slots
	c.mu.Unlock()
	c.clock.add(time.Duration(slots) * slotTime)
}

// blockhash makes a new one, of the newest block.
func (c *chain) blockhash() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	hash := keyed(fmt.Sprint("block ", c.slot, len(c.born)))
	c.born[hash] = head(c.slot).Height
	return hash
}

// land executes a transaction, if its blockhash still lets it in.
func (c *chain) land(tx *signing.Transaction, fails string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	born, known := c.born[tx.Blockhash().String()]
	signature := tx.Signature().String()
	if _, done := c.executed[signature]; done || !known || head(c.slot).Height > born+151 {
		return false
	}
	c.executed[signature] = execution{c.slot, fails}
	c.raw[signature] = tx.Bytes()
	c.messages[string(tx.Message())] = signature
	return true
}

// node is a view of the chain. A liar calls all that it is asked for failed.
type node struct {
	*chain
	id   string
	away bool
	hide bool // it does not know of any execution
}

var errAway = errors.New("the node is away")

func (n *node) up() error {
	if n.away {
		return errAway
	}
	return nil
}

func (n *node) Identity() string                        { return n.id }
func (n *node) Genesis(context.Context) (string, error) { return genesis, n.up() }

func (n *node) FinalHead(context.Context) (walletfi.Head, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return head(n.slot - finality), n.up()
}

func (n *node) FinalBlock(_ context.Context, slot uint64) (walletfi.Head, error) {
	return head(slot), n.up()
}

func (n *node) FinalTime(_ context.Context, slot uint64) (time.Time, error) { return at(slot), n.up() }

func (n *node) BlockhashValid(_ context.Context, hash string) (walletfi.BlockhashState, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	born, known := n.born[hash]
	return walletfi.BlockhashState{Valid: known && head(n.slot).Height <= born+150, AsOfSlot: n.slot}, n.up()
}

func (n *node) BlockhashAt(_ context.Context, hash string, _ uint64) (walletfi.BlockhashState, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	born, known := n.born[hash]
	final := n.slot - finality
	return walletfi.BlockhashState{Valid: known && head(final).Height <= born+150, AsOfSlot: final}, n.up()
}

func (n *node) BlockhashAge(context.Context) (uint64, error) { return 151, n.up() }

func (n *node) BlockOf(context.Context, string, walletfi.Head) (walletfi.Head, error) {
	return walletfi.Head{}, walletfi.ErrNotFound
}

func (n *node) status(signature string) (s walletfi.SignatureStatus) {
	e, known := n.executed[signature]
	if !known || n.hide {
		return s
	}
	s = walletfi.SignatureStatus{Found: true, Slot: e.slot, Err: e.err, Commitment: walletfi.CommitmentConfirmed}
	if e.slot <= n.slot-finality {
		s.Commitment = walletfi.CommitmentFinalized
	}
	return s
}

func (n *node) SignatureStatuses(_ context.Context, all []string) (got walletfi.SignatureStatuses, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, signature := range all {
		got.Statuses = append(got.Statuses, n.status(signature))
	}
	return walletfi.SignatureStatuses{Statuses: got.Statuses, AsOfSlot: n.slot}, n.up()
}

func (n *node) Absence(ctx context.Context, q walletfi.AbsenceQuery) (*walletfi.Absence, error) {
	got, err := n.SignatureStatuses(ctx, q.Signatures)
	a := &walletfi.Absence{AsOfSlot: got.AsOfSlot, Statuses: got.Statuses}
	for s := q.After.Slot; s <= q.Until.Slot; s++ {
		if head(s).Height > q.Last+1 && s != q.Until.Slot {
			continue
		}
		a.Witnesses = append(a.Witnesses, walletfi.Witness{
			Head: head(s), Signature: fmt.Sprint("w", s),
			Status: walletfi.SignatureStatus{Found: true, Slot: s, Commitment: walletfi.CommitmentFinalized},
		})
	}
	return a, err
}

func (n *node) MessageAbsence(_ context.Context, _ walletfi.AbsenceQuery, _ string, message []byte) (walletfi.FoundMessage, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return walletfi.FoundMessage{Signature: n.messages[string(message)]}, n.up()
}

func (n *node) NonceAt(_ context.Context, account string, _ uint64) (walletfi.NonceState, error) {
	if account != nonce.String() {
		return walletfi.NonceState{}, walletfi.ErrNotFound
	}
	return walletfi.NonceState{Value: keyed("value"), AsOfSlot: n.slot - finality}, n.up()
}

func (n *node) NonceUse(context.Context, string, string, uint64, uint64) (walletfi.NonceUse, error) {
	return walletfi.NonceUse{}, walletfi.ErrNotFound
}

func (n *node) Effects(_ context.Context, signature string) (*walletfi.Effects, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if e := n.effects[signature]; e != nil {
		return e, n.up()
	}
	return nil, walletfi.ErrNotFound
}

func (n *node) LookupTable(context.Context, signing.PublicKey) (signing.LookupTable, error) {
	return signing.LookupTable{}, signing.ErrUnknown
}

func (n *node) Accounts(_ context.Context, accounts []signing.PublicKey) (out []signing.AccountState, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, k := range accounts {
		out = append(out, n.accounts[k])
	}
	return out, n.up()
}

func (n *node) AccountsSince(ctx context.Context, accounts []signing.PublicKey, slot uint64) ([]signing.AccountState, error) {
	if slot > n.slot || n.unshown {
		return nil, errAway
	}
	return n.Accounts(ctx, accounts)
}

// History lists 1,000 transactions at once, in an order that each call keeps to.
func (n *node) History(
	_ context.Context, address signing.PublicKey, since, until uint64, cursor string,
) (all []string, next string, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if until > n.slot-finality {
		return nil, "", errAway
	}
	for signature, e := range n.executed {
		tx, err := signing.DecodeBytes(n.raw[signature])
		if err != nil {
			return nil, "", err
		}
		named := slices.Contains(tx.AccountKeys(), address)
		if named && e.slot > since && e.slot <= until && !n.hide && signature > cursor {
			all = append(all, signature)
		}
	}
	if slices.Sort(all); len(all) > 1000 {
		all = all[:1000]
		next = all[999]
	}
	return all, next, n.up()
}

func (n *node) Transaction(_ context.Context, signature string) ([]byte, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.raw[signature] == nil {
		return nil, walletfi.ErrNotFound
	}
	return n.raw[signature], n.up()
}

func (n *node) Simulate(_ context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	if n.simulate == nil {
		return nil, signing.ErrUnknown
	}
	out, err := n.simulate(r)
	return out, errors.Join(err, n.up())
}

// policyText is a policy of 2 SOL a transaction and 5 SOL an hour, with some lines more.
func policyText(more ...string) string {
	return fmt.Sprintf(`version = 1
genesis = "%s"
admins = [0]
rescue = ["%s"]

[[owner]]
name = "bot"
key = "%s"

[[owner.ceiling]]
mint = "SOL"
transaction = 2_000_000_000
window = [{length = "1h", most = 5_000_000_000}]

[[owner.exposure]]
mint = "SOL"
most = 10_000_000_000

[[client]]
name = "trader"
uid = 1000
owners = ["bot"]
services = ["", "lending"]
share = 100
rate = 100000

[[client]]
name = "other"
uid = 1001
owners = ["bot"]
services = [""]
share = 40
rate = 100000

[[payee]]
name = "exchange"
address = "%s"

[[service]]
name = "lending"
[[service.pin]]
program = "%s"
instructions = ["01"]
may_write = ["owner"]
must_be_ours = [1]

[fees]
network = 10_000
tip = 1_000_000
rent = 10_000_000
`, genesis, rescue, owner, payee, program) + strings.Join(more, "\n")
}

// rig is a signer on a chain.
type rig struct {
	*signer.Signer
	*chain
	t     testing.TB
	cfg   signer.Config
	nodes []*node
}

func newRig(t testing.TB, nodes int, change ...func(*signer.Config)) *rig {
	r := &rig{t: t, chain: newChain()}
	policy, err := signer.ParsePolicy([]byte(policyText()))
	require.NoError(t, err)
	dir := t.TempDir()
	r.cfg = signer.Config{
		Policy: policy, Store: filepath.Join(dir, "signer.db"), Anchor: filepath.Join(dir, "anchor"), LogKey: logKey,
		Keys: []signing.Signer{ownerKey}, Clock: r.chain.clock,
	}
	for i := range nodes {
		r.nodes = append(r.nodes, &node{chain: r.chain, id: fmt.Sprint("node ", i)})
		r.cfg.Nodes = append(r.cfg.Nodes, r.nodes[i])
	}
	for _, f := range change {
		f(&r.cfg)
	}
	r.open()
	t.Cleanup(func() { require.NoError(t, r.Signer.Close()) })
	return r
}

func (r *rig) open() {
	s, err := signer.Open(r.t.Context(), r.cfg)
	require.NoError(r.t, err)
	r.Signer = s
	require.NoError(r.t, s.Settle(r.t.Context()))
}

// reopen ends the process and begins another one.
func (r *rig) reopen() {
	require.NoError(r.t, r.Signer.Close())
	r.open()
}

// pay is a request to pay lamports.
func (r *rig) pay(to signing.PublicKey, lamports uint64) signing.SetRequest {
	tx := signingtest.Transaction{
		FeePayer: owner, Blockhash: r.blockhash(),
		Instructions: []signingtest.Instruction{signingtest.Transfer(owner, to, walletfi.Amount(lamports))},
	}
	return signing.SetRequest{Count: 1, Unsigned: walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{tx.Unsigned(r.t)},
		Intent: walletfi.Intent{
			Owner: owner.String(), PayTo: []string{to.String()},
			Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(lamports)}},
		},
	}}
}

// signed asks for a payment, which must be signed, and returns the signed transaction.
func (r *rig) signed(q signing.SetRequest) *signing.Transaction {
	r.t.Helper()
	d, err := r.SignSet(r.t.Context(), "trader", q)
	require.NoError(r.t, err)
	require.Len(r.t, d.Signatures, 1)
	tx, err := signing.Decode(q.Unsigned.Transactions[0])
	require.NoError(r.t, err)
	require.True(r.t, d.Signatures[0].Verify(owner, tx.Message()))
	require.NoError(r.t, signing.SignUnchecked(r.t.Context(), tx, ownerKey))
	require.Equal(r.t, d.Signatures[0], tx.Signature())
	return tx
}

// refused asks for what must be refused with a code.
func (r *rig) refused(client string, q signing.SetRequest, code string) *signing.SetRefusal {
	r.t.Helper()
	d, err := r.SignSet(r.t.Context(), client, q)
	require.Nil(r.t, d)
	refusal, ok := errors.AsType[*signing.SetRefusal](err)
	require.True(r.t, ok, "%v", err)
	require.Equal(r.t, code, refusal.Code, refusal.Text)
	return refusal
}

// settle lets some finality pass and has the signer look.
func (r *rig) settle() {
	r.pass(2 * finality * slotTime)
	require.NoError(r.t, r.Settle(r.t.Context()))
}

// left tells the rest of the owner's window of SOL.
func (r *rig) left() int64 {
	used, err := r.Ledger(r.t.Context())
	require.NoError(r.t, err)
	i := slices.IndexFunc(used, func(u signer.Used) bool { return u.Mint == walletfi.NativeMint && u.Payee == "" })
	require.GreaterOrEqual(r.t, i, 0)
	return used[i].Left
}
