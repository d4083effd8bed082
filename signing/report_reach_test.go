package signing

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// reader is a resolver that reads accounts, too.
type reader struct {
	accounts map[PublicKey]AccountState
	err      error
	asked    [][]PublicKey
	short    bool // answers with one too few
	tables   tables
}

func (r *reader) LookupTable(ctx context.Context, table PublicKey) (LookupTable, error) {
	return r.tables.LookupTable(ctx, table)
}

func (r *reader) Accounts(_ context.Context, accounts []PublicKey) (states []AccountState, err error) {
	r.asked = append(r.asked, accounts)
	for _, k := range accounts {
		states = append(states, r.accounts[k])
	}
	if r.short {
		states = states[1:]
	}
	return states, r.err
}

// rich are the owner's accounts of the reports.
func rich() map[PublicKey]AccountState {
	return map[PublicKey]AccountState{
		owner: {Lamports: 5_000_000_000}, ourUSDC: holding(TokenProgram, usdc, owner, 1_204_200_000), listed: {Lamports: 9, Owner: rogue, Data: []byte{1}},
	}
}

// lookedUp is the blind swap by a program that people know, of accounts that were looked up.
func lookedUp(t *testing.T) *scene {
	s := blindSwap()
	idls, err := LoadIDLs(folder(map[string]string{"jupiter.json": newIDL}))
	require.NoError(t, err)
	s.instructions[3].Program, s.instructions[3].Data = jupiter, []byte{229, 23, 203, 151, 122, 227, 173, 42, 1}
	s.policy.Pins["swap"], s.policy.Resolver, s.policy.IDLs = []PublicKey{jupiter}, &reader{accounts: rich()}, idls
	return s
}

// TestMayTakeAll: of each account that a pinned program may write, the report says what is in
// it, as a simulation or the resolver saw it, or that nobody did.
func TestMayTakeAll(t *testing.T) {
	wallet, account := "your wallet "+shortOf(owner), "your account "+shortOf(ourUSDC)
	wrapped := "your account " + shortOf(ourWrapped)
	unlooked := " (what is in it was not looked up)"
	nobody := "all SOL of " + wallet + unlooked + ", all in " + wrapped + unlooked + ", all in " + account + unlooked + " and all in 1 other account, if it is yours (owner not looked up)"
	known := "all SOL of " + wallet + " (5 SOL when checked), all in " + wrapped + " (nothing in it when checked) and all in " + account + " (1204.2 USDC (" + shortOf(usdc) + ") when checked)"
	for name, row := range map[string]struct {
		resolver Resolver
		want     string
	}{
		"nobody":      {nil, nobody},
		"known":       {&reader{accounts: rich()}, known},
		"an error":    {&reader{accounts: rich(), err: errors.New("down")}, nobody},
		"too few":     {&reader{accounts: rich(), short: true}, nobody},
		"no accounts": {struct{ Resolver }{&reader{}}, nobody},
	} {
		s := blindSwap()
		s.policy.Resolver = row.resolver
		report := s.report(t, txbuild.V0)
		assert.Contains(t, report.Text(), "\nAt worst you lose: "+row.want+", and what these get later, if a program takes control and you go on using them. Nothing is certain to come in return\n", name)
		assert.Contains(t, report.Text(), "\n  Program "+shortOf(exchange)+" was not checked: it could take all that \"At worst\" names; this wallet's settings let services call any instruction of it (Policy.Pins)\n", name)
		assert.Equal(t, 1, strings.Count(report.Text(), " could take "), "it is said once: %s", name)
		assert.NotContains(t, report.text(true), "1204.2", "an approval outlives a balance")
		again := new(Report)
		b, err := json.Marshal(report)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(b, again))
		assert.Equal(t, report.Text(), again.Text(), name)
	}
	s := honestSwap()
	r := &reader{}
	s.policy.Resolver = r
	s.report(t, txbuild.V0)
	assert.Equal(t, [][]PublicKey{{usdc}}, r.asked, "the simulation has shown the accounts, and not the mint")
	unread := blindSwap()
	unread.policy.Resolver, unread.policy.AllowBlind = r, nil
	unread.refusal(t, txbuild.V0)
	assert.Len(t, r.asked, 1, "nobody is asked about what is refused")
}

// TestApprovalOutlivesABalance: neither the amounts in accounts nor a token that only they
// name changes what a person approves.
func TestApprovalOutlivesABalance(t *testing.T) {
	digests := map[string]bool{}
	for _, state := range []AccountState{{}, {Lamports: 7}, holding(TokenProgram, bonk, owner, 5), holding(TokenProgram, pump, owner, 5)} {
		s := blindSwap()
		s.policy.Tokens = TokenList{usdc: {"USDC", 6}, bonk: {"USD\u0421", 6}}
		s.policy.Resolver = &reader{accounts: map[PublicKey]AccountState{owner: {Lamports: state.Lamports}, ourUSDC: state}}
		digests[s.report(t, txbuild.V0).Digest()] = true
	}
	require.Len(t, digests, 1)
}

// TestCallsWithoutOurSignature say what they may take all the same, and of calls with it
// nobody knows that they take nothing.
func TestCallsWithoutOurSignature(t *testing.T) {
	given := txbuild.Call(exchange, nil, txbuild.Writable(listed), txbuild.Writable(ourUSDC))
	for says, call := range map[string]txbuild.Instruction{
		"At worst you lose: all that program " + shortOf(rogue) + " keeps for you in your account " + shortOf(listed) + " and all in your account " + shortOf(ourUSDC) + " (1204200000 units of unknown": given,
		" was not checked: it could take all that \"At worst\" names, if a permission from before lets it, or if it keeps that for you (neither was looked up); this":                                    given,
		" can take nothing: it gets no account of yours and not your signature\n":                                                                                                                        txbuild.Call(exchange, nil, txbuild.Writable(vault)),
		" gets your signature, and no account that is known to be yours; this wallet's settings":                                                                                                         txbuild.Call(exchange, nil, txbuild.Signer(owner), txbuild.Writable(vault)),
	} {
		s := ordinary(call)
		s.policy.Resolver, s.build.Payer, s.policy.Sponsors = &reader{accounts: rich()}, sponsor, []PublicKey{sponsor}
		s.instructions = append(s.instructions, txbuild.Memo("gm", owner))
		assert.Contains(t, s.report(t, txbuild.V0).Text(), says)
	}
}

// TestStakeIsBounded: a resolver is asked for so many accounts and no more.
func TestStakeIsBounded(t *testing.T) {
	r, report := &reader{}, &Report{}
	for i := range 150 {
		report.Reaches = append(report.Reaches, Reach{Ours: []PublicKey{addressOf(string(rune(i))), owner}})
	}
	require.NoError(t, NewGuard(Policy{Resolver: r}).hold(t.Context(), report, new(node)))
	require.Len(t, r.asked, 1)
	assert.Len(t, r.asked[0], 100)
	assert.Len(t, report.Holds, 100)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r.err = ctx.Err()
	assert.ErrorIs(t, NewGuard(Policy{Resolver: r}).hold(ctx, &Report{Reaches: report.Reaches}, new(node)), context.Canceled)
	assert.Equal(t, walletfi.NativeMint, holdingOf(owner, states([]AccountState{{}})[0]).Mint.String())
}
