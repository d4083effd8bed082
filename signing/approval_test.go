package signing

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestSignApproved: what a person approved in another process is signed, and
// nothing else.
func TestSignApproved(t *testing.T) {
	s := ordinary(txbuild.Transfer(owner, friend, 1000))
	u := set(txbuild.V0, s, ordinary(txbuild.Memo("x")))
	guard := NewGuard(s.policy)
	_, report, err := guard.CheckSet(t.Context(), u)
	require.NoError(t, err)
	b, err := json.Marshal(report)
	require.NoError(t, err)
	var shown Report // in the other process
	require.NoError(t, json.Unmarshal(b, &shown))
	require.Len(t, shown.Digest(), 64)
	require.Equal(t, report.Digest(), shown.Digest())

	txs, _, err := guard.SignApproved(t.Context(), u, shown.Digest(), ownerKey)
	require.NoError(t, err)
	require.Len(t, txs, 2)
	for _, tx := range txs {
		assert.True(t, tx.Signature().Verify(owner, tx.Message()))
	}
	for name, other := range map[string]walletfi.Unsigned{
		"another amount": set(txbuild.V0, ordinary(txbuild.Transfer(owner, friend, 1001)), ordinary(txbuild.Memo("x"))),
		"another order":  set(txbuild.V0, ordinary(txbuild.Memo("x")), s),
		"one only":       set(txbuild.V0, s),
		"another format": set(txbuild.V1, s, ordinary(txbuild.Memo("x"))),
	} {
		txs, report, err := guard.SignApproved(t.Context(), other, shown.Digest(), ownerKey)
		refusal := wiretest.As[*GuardError](t, err)
		assert.Equal(t, RuleApproval, refusal.Rule, name)
		assert.Equal(t, refusal, report.Refusal)
		assert.Empty(t, txs, name)
	}
	require.Equal(t, report.MessagesDigest(), shown.MessagesDigest())
	// The same messages under another intent, policy or list of tokens are not what was read.
	intent := func(change func(*walletfi.Intent)) walletfi.Unsigned {
		other := u
		other.Intent = u.Intent.Clone()
		change(&other.Intent)
		return other
	}
	policy := func(change func(*Policy)) *Guard {
		p := s.policy.clone()
		change(&p)
		return NewGuard(p)
	}
	for name, c := range map[string]struct {
		guard *Guard
		u     walletfi.Unsigned
	}{
		"more to spend":  {guard, intent(func(i *walletfi.Intent) { i.Spend[0].Amount++ })},
		"another floor":  {guard, intent(func(i *walletfi.Intent) { i.MaxNetworkFeeLamports = new(walletfi.Amount(9_000_000)) })},
		"other words":    {guard, intent(func(i *walletfi.Intent) { i.Asked = map[string]string{"a": "b"} })},
		"another pin":    {policy(func(p *Policy) { p.Pins["swap"] = append(p.Pins["swap"], rogue) }), u},
		"one more blind": {policy(func(p *Policy) { p.AllowBlind = append(p.AllowBlind, "lending") }), u},
		"another cap":    {policy(func(p *Policy) { p.ForeignRentLamports = 1 }), u},
		"another symbol": {policy(func(p *Policy) { p.Tokens = TokenList{usdc: {"USDC", 6}} }), u},
	} {
		txs, report, err := c.guard.SignApproved(t.Context(), c.u, shown.Digest(), ownerKey)
		require.Equal(t, RuleApproval, wiretest.As[*GuardError](t, err).Rule, name)
		require.Empty(t, txs, name)
		require.Equal(t, shown.MessagesDigest(), report.MessagesDigest(), name)
	}
	again := policy(func(*Policy) {})
	_, _, err = again.SignApproved(t.Context(), u, shown.Digest(), ownerKey, AtBlockHeight(5))
	require.NoError(t, err, "the same policy of another guard, at a known height")
	// An approval does not lift the rules.
	bad := set(txbuild.V0, ordinary(txbuild.Transfer(owner, thief, 1<<40)))
	_, report, err = guard.CheckSet(t.Context(), bad)
	require.ErrorIs(t, err, ErrRefused)
	_, _, err = guard.SignApproved(t.Context(), bad, report.Digest(), ownerKey)
	require.ErrorIs(t, err, ErrRefused)
}

// TestReportJSONRoundTrips: whatever a report says, it says after JSON, too.
func TestReportJSONRoundTrips(t *testing.T) {
	s := wide()
	s.policy.Tokens = TokenList{usdc: {"USDC", 6}}
	s.options = []Option{AtBlockHeight(100), WithLastValidBlockHeight(200)}
	s.intent.Receive = []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 9}}
	report := s.report(t, txbuild.V0)
	b, err := json.Marshal(report)
	require.NoError(t, err)
	assert.Contains(t, string(b), `{"version":1,"digest":"`)
	var back Report
	require.NoError(t, json.Unmarshal(b, &back))
	assert.Equal(t, report.Text(), back.Text())
	assert.Equal(t, report.String(), back.String())
	assert.Equal(t, report.Unseen(), back.Unseen())
	assert.Equal(t, report.Digest(), back.Digest())
	again, err := json.Marshal(back)
	require.NoError(t, err)
	assert.JSONEq(t, string(b), string(again))
	require.Error(t, json.Unmarshal([]byte(`{"version":2}`), &back))
}

// silent answers nothing.
type silent struct{}

func (silent) Simulate(context.Context, SimulationRequest) (*Simulation, error) { return nil, nil }

func TestNilArguments(t *testing.T) {
	s := ordinary(txbuild.Memo("x"))
	u := set(txbuild.V0, s)
	guard := NewGuard(s.policy)
	_, _, noSigner := guard.SignSet(t.Context(), u, nil)
	_, _, noApprover := guard.SignApproved(t.Context(), u, "", nil)
	_, noTransaction := guard.Check(t.Context(), nil, s.intent)
	_, _, err := guard.CheckSet(t.Context(), u, Option{})
	require.NoError(t, err, "the zero option adds nothing")
	_, _, empty := guard.SignSet(t.Context(), walletfi.Unsigned{Intent: s.intent}, ownerKey)
	var noKey *LocalKey
	_, _, typed := guard.SignSet(t.Context(), u, noKey)
	_, _, unmade := guard.SignSet(t.Context(), u, new(LocalKey))
	var nothing context.Context
	_, _, noContext := guard.CheckSet(nothing, u)
	_, unread := guard.Check(t.Context(), new(Transaction), s.intent)
	_, _, noSimulation := NewGuard(Policy{Simulator: silent{}}).CheckSet(t.Context(), u)
	require.ErrorContains(t, noSimulation, "neither a simulation nor an error")
	for name, err := range map[string]error{
		"nil key": typed, "key that nothing made": unmade, "context": noContext, "transaction that nothing decoded": unread,
		"signer": noSigner, "approver": noApprover, "transaction": noTransaction, "empty set": empty,
		"unchecked transaction": SignUnchecked(t.Context(), nil, ownerKey), "unchecked signer": SignUnchecked(t.Context(), new(Transaction), nil),
	} {
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest, name)
	}
}

// TestApprovalOutlivesASimulation: other amounts at another slot are not another approval;
// no simulation at all, where there was one, is.
func TestApprovalOutlivesASimulation(t *testing.T) {
	s := honestSwap()
	u := set(txbuild.V0, s)
	_, report, err := NewGuard(s.policy).CheckSet(t.Context(), u)
	require.NoError(t, err)
	s.policy.Simulator.(*stage).after[ourUSDC] = holding(TokenProgram, usdc, owner, 9_990_001)
	_, later, err := NewGuard(s.policy).SignApproved(t.Context(), u, report.Digest(), ownerKey)
	require.NoError(t, err)
	assert.NotEqual(t, report.Text(), later.Text())

	blind := blindSwap()
	_, read, err := NewGuard(blind.policy).CheckSet(t.Context(), u)
	require.NoError(t, err)
	blind.policy.Simulator = s.policy.Simulator
	_, _, err = NewGuard(blind.policy).SignApproved(t.Context(), u, read.Digest(), ownerKey)
	require.Equal(t, RuleApproval, wiretest.As[*GuardError](t, err).Rule)
	zero := new(Guard)
	_, read, err = zero.CheckSet(t.Context(), set(txbuild.V0, ordinary(txbuild.Memo("x"))))
	require.NoError(t, err)
	assert.Len(t, read.Digest(), 64)
}

// TestDigestOfWhatIsSigned: a report that has let go of its transactions has the same digests, whatever
// text they came in.
func TestDigestOfWhatIsSigned(t *testing.T) {
	s := ordinary(txbuild.Transfer(owner, friend, 1000))
	texts := set(txbuild.V0, s, ordinary(txbuild.Memo("x")))
	tx, err := Decode(texts.Transactions[0])
	require.NoError(t, err)
	mixed := texts
	mixed.Transactions = []walletfi.EncodedTransaction{tx.Base58(), texts.Transactions[1]}
	guard := NewGuard(s.policy)
	for name, row := range map[string]struct {
		unsigned walletfi.Unsigned
		kept     int // transactions
	}{"base64": {texts, 0}, "one in base58": {mixed, 2}} {
		_, checked, err := guard.CheckSet(t.Context(), row.unsigned)
		require.NoError(t, err)
		_, signed, err := guard.SignSet(t.Context(), row.unsigned, ownerKey)
		require.NoError(t, err)
		require.Len(t, signed.txs, row.kept, name)
		require.Len(t, checked.Digest(), 64)
		require.Len(t, checked.MessagesDigest(), 64)
		require.Equal(t, checked.Digest(), signed.Digest(), name)
		require.Equal(t, checked.MessagesDigest(), signed.MessagesDigest(), name)
	}
}
