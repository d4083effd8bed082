package signing_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

func mintOf(decimals byte, by pk) state {
	d := make([]byte, 82)
	d[44], d[45] = decimals, 1
	return state{Lamports: 1_461_600, Owner: by, Data: d}
}

// TestOutsideDecimals: decimals that the mint's account names, and approvals over them.
func TestOutsideDecimals(t *testing.T) {
	list := signing.TokenList{xUSDC: {Symbol: "USDC", Decimals: 6}, xJUP: {Symbol: "JUP", Decimals: 6}}
	with := func(r signing.Resolver) signing.Policy {
		return xPolicy(blindly, func(p *signing.Policy) { p.Tokens, p.Resolver = list, r })
	}
	a := attempt{set: []xTx{v0(xTok.Transfer(xMyUSDC, xFrUSDC, xOwner, 5))}, intent: xIntent(payTo(xFriend))}
	reads := &reading{accounts: accs{xUSDC: mintOf(6, signing.TokenProgram), xJUP: mintOf(6, signing.TokenProgram)}}
	for name, c := range map[string]struct {
		first, then signing.Resolver
	}{
		"the reader fails when it is signed":     {reads, &reading{err: errors.New("down")}},
		"the reader failed when it was shown":    {&reading{err: errors.New("down")}, reads},
		"another process reads nothing":          {reads, nil},
		"the mint is not known when it is shown": {&reading{}, reads},
	} {
		outCount++
		t.Run("A1 "+name, func(t *testing.T) {
			skipOpen(t)
			_, r, err := signing.NewGuard(with(c.first)).CheckSet(t.Context(), a.unsigned())
			require.NoError(t, err)
			_, _, err = signing.NewGuard(with(c.then)).SignApproved(t.Context(), a.unsigned(), r.Digest(), xKey)
			if err != nil {
				t.Errorf("FALSE REFUSAL: %v", err)
			}
		})
	}
	// A list that is wrong by a million, a mint that says so, and a thief's program that looks like a mint.
	for name, c := range map[string]struct {
		mint state
		says string
	}{
		"the mint stands above the list":         {mintOf(9, signing.TokenProgram), "0.000000005"},
		"another program's account is no mint":   {mintOf(0, xRogue), "0.000005"},
		"a token account is no mint":             {held(signing.TokenProgram, xUSDC, xOwner, 5), "0.000005"},
		"not initialised":                        {func() state { s := mintOf(0, signing.TokenProgram); s.Data[45] = 0; return s }(), "0.000005"},
		"a multisig of 355 bytes":                {state{Lamports: 9, Owner: signing.TokenProgram, Data: append([]byte{1, 1, 1}, make([]byte, 352)...)}, "0.000005"},
		"Token-2022 with extensions, an account": {func() state { s := extended22(xOwner, 5, 1); return s }(), "0.000005"},
	} {
		outCount++
		t.Run("A2 "+name, func(t *testing.T) {
			skipOpen(t)
			_, r, err := signing.NewGuard(with(&reading{accounts: accs{xUSDC: c.mint}})).CheckSet(t.Context(), a.unsigned())
			require.NoError(t, err)
			if !strings.Contains(r.Text(), "You pay: "+c.says+" USDC") && !strings.Contains(r.Text(), "You pay: "+c.says+"* USDC") {
				t.Errorf("REPORT\n%s", r.Text())
			}
		})
	}
}

type setSigner struct {
	*signing.LocalKey
	answer func(signing.SetRequest) ([]signing.Signature, error)
	asked  signing.SetRequest
}

func (s *setSigner) SignSet(ctx context.Context, r signing.SetRequest) (signing.SetSignatures, error) {
	s.asked = r
	if s.answer != nil {
		answer, err := s.answer(r)
		return signing.SetSignatures{Signatures: answer}, err
	}
	var out []signing.Signature
	for _, tx := range r.Unsigned.Transactions[r.First : r.First+r.Count] {
		d, err := signing.Decode(tx)
		if err != nil {
			return signing.SetSignatures{}, err
		}
		sig, err := s.LocalKey.Sign(ctx, d.Message())
		if err != nil {
			return signing.SetSignatures{}, err
		}
		out = append(out, sig)
	}
	return signing.SetSignatures{Signatures: out}, nil
}

// TestOutsideSetSigner: what a key elsewhere is told, and what it may answer.
func TestOutsideSetSigner(t *testing.T) {
	g := signing.NewGuard(xPolicy())
	u := attempt{set: []xTx{v0(txbuild.Memo("a", xOwner)), v0(txbuild.Memo("b", xOwner))}, intent: xIntent(), hash: xHash.String(), end: 900}.unsigned()
	s := &setSigner{LocalKey: xKey}
	txs, _, err := g.SignSet(t.Context(), u, s)
	require.NoError(t, err)
	require.Len(t, txs, 2)
	outCount += 8
	t.Run("K1 it is told the blockhash that the service named", func(t *testing.T) {
		skipOpen(t)
		if s.asked.Unsigned.Blockhash != xHash.String() {
			t.Errorf("blockhash %q: the key's own guard cannot apply G5", s.asked.Unsigned.Blockhash)
		}
	})
	require.EqualValues(t, 900, s.asked.Unsigned.LastValidBlockHeight)
	bad := func(f func(signing.SetRequest) ([]signing.Signature, error)) error {
		_, _, err := g.SignSet(t.Context(), u, &setSigner{LocalKey: xKey, answer: f})
		return err
	}
	good := func(r signing.SetRequest) []signing.Signature {
		made, _ := (&setSigner{LocalKey: xKey}).SignSet(t.Context(), r)
		return made.Signatures
	}
	require.Error(t, bad(func(r signing.SetRequest) ([]signing.Signature, error) { return nil, nil }))
	require.Error(t, bad(func(r signing.SetRequest) ([]signing.Signature, error) { return good(r)[:1], nil }))
	require.Error(t, bad(func(r signing.SetRequest) ([]signing.Signature, error) { return make([]signing.Signature, 2), nil }))
	require.Error(t, bad(func(r signing.SetRequest) ([]signing.Signature, error) {
		o := good(r)
		o[0], o[1] = o[1], o[0]
		return o, nil
	}))
	require.ErrorIs(t, bad(func(r signing.SetRequest) ([]signing.Signature, error) {
		return nil, &signing.SetRefusal{Code: "x", Text: "no"}
	}), signing.ErrRefused)
	waits := bad(func(r signing.SetRequest) ([]signing.Signature, error) { return nil, &signing.SetRefusal{Waits: true} })
	require.ErrorIs(t, waits, signing.ErrWaits)
	require.NotErrorIs(t, waits, signing.ErrRefused)
	// It can be given to another process, and changes nothing here.
	text, err := json.Marshal(s.asked.Unsigned)
	require.NoError(t, err)
	var again walletfi.Unsigned
	require.NoError(t, json.Unmarshal(text, &again))
	require.NoError(t, bad(func(r signing.SetRequest) ([]signing.Signature, error) {
		out := good(r)
		r.Unsigned.Intent.Spend[0].Amount = 1 << 60
		r.Unsigned.Transactions[0] = r.Unsigned.Transactions[1]
		return out, nil
	}))
	// Refused sets are not shown to it.
	s.asked = signing.SetRequest{}
	_, _, err = g.SignSet(t.Context(), attempt{set: []xTx{v0(xTok.SetAuthority(xMyUSDC, xOwner, 2, xThief))}, intent: xIntent()}.unsigned(), s)
	require.Error(t, err)
	require.Zero(t, s.asked.Count)
	// A nonce that the caller opted in to.
	outCount++
	t.Run("K2 it is told of the caller's nonce", func(t *testing.T) {
		skipOpen(t)
		_, _, err = g.SignSet(t.Context(), attempt{set: []xTx{v0(txbuild.AdvanceNonce(outAddr("nonce"), xOwner))}, intent: xIntent()}.unsigned(), s, nonceOf("nonce")...)
		require.NoError(t, err)
		_, _, err = g.CheckSet(t.Context(), s.asked.Unsigned)
		if err != nil {
			t.Logf("the key's own guard refuses it without a word of the nonce: %v", err)
		}
	})
}

// TestOutsideNamed: signers that are named, and have signed.
func TestOutsideNamed(t *testing.T) {
	maker := outKey("maker").PublicKey()
	outCount += 2
	a := attempt{policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x", xOwner, maker)).signedBy([]string{"maker"})}, intent: xIntent(func(i *walletfi.Intent) { i.CoSigners = []string{maker.String()} })}
	_, r, err := a.run(t.Context())
	require.NoError(t, err)
	if strings.Contains(r.Text(), "must sign too") {
		t.Errorf("REPORT: a named co-signer has signed already\n%.600s", r.Text())
	}
	a = attempt{policy: xPolicy(), set: []xTx{xTx{format: txbuild.V0, payer: maker, ins: []ins{txbuild.Memo("x", xOwner)}, by: []string{"maker"}}}, intent: xIntent(func(i *walletfi.Intent) { i.Sponsor = maker.String() })}
	_, r, err = a.run(t.Context())
	require.NoError(t, err)
	if strings.Contains(r.Text(), "must sign too") {
		t.Errorf("REPORT: the sponsor has signed already\n%.600s", r.Text())
	}
}
