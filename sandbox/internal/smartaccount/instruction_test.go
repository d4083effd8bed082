package smartaccount_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/memo"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/smartaccount"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// key is the account's address.
func (u *client) key() solana.PublicKey { return solana.MustPublicKeyFromBase58(u.address) }

// pay is an instruction that sends lamports to a merchant.
func (u *client) pay(lamports uint64) solana.Instruction {
	return system.NewTransferInstruction(lamports, u.key(), build.PublicKey(u.Keypair("merchant"))).Build()
}

// transaction is the body that executes instructions.
func (u *client) transaction(instructions ...solana.Instruction) map[string]any {
	return map[string]any{"instructions": smartaccount.Listed(instructions)}
}

// signed is transaction, authorised by a session key.
func (u *client) signed(session ed25519.PrivateKey, instructions ...solana.Instruction) map[string]any {
	body := u.transaction(instructions...)
	raw, err := json.MarshalIndent(body["instructions"], "", "  ")
	require.NoError(u.t, err)
	message, err := smartaccount.SessionKeyMessage(raw)
	require.NoError(u.t, err)
	body["sessionKeySignature"] = base64.StdEncoding.EncodeToString(ed25519.Sign(session, message))
	return body
}

func (u *client) merchantHas() uint64 {
	return u.View().Balance(build.PublicKey(u.Keypair("merchant")).String())
}

func TestExecutesOnTheLedger(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	u := userOf(t, s, "a@example.com")
	require.NoError(t, s.FundWallet(u.address, 1_000_000_000))
	body := u.transaction(u.pay(100_000_000))
	a := u.own("POST", "/transactions", body)
	assert.Regexp(t, "^tx_", a.Text("id"))
	assert.Equal(t, "confirmed", a.Text("status"))
	assert.Equal(t, strconv.FormatUint(s.View().Slot(), 10), a.Text("slot"))
	assert.EqualValues(t, 100_000_000, u.merchantHas())
	landed := s.View().TransactionStatus(a.Text("signature"))
	assert.True(t, landed.Found)
	assert.Empty(t, landed.Err)
	assert.Equal(t, "900000000", u.own("GET", "", nil).Text("balance", "SOL"), "the service pays the fee")

	again := u.own("POST", "/transactions", body)
	assert.NotEqual(t, a.Text("signature"), again.Text("signature"), "the same again in one slot is another transaction")
	assert.EqualValues(t, 200_000_000, u.merchantHas())

	one := u.own("GET", "/transactions/"+a.Text("id"), nil)
	wanted, err := json.Marshal(body["instructions"])
	require.NoError(t, err)
	got, err := json.Marshal(one.At("instructions"))
	require.NoError(t, err)
	assert.JSONEq(t, string(wanted), string(got))
	assert.Equal(t, "10000", one.Text("fee"), "two signatures")
	assert.Equal(t, "2026-01-01T00:00:00.000Z", one.Text("timestamp"))
	assert.Equal(t, a.Text("slot"), one.Text("slot"))
}

func TestTransactionsPage(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	u := userOf(t, s, "a@example.com")
	var ids []string
	for range 25 {
		note := memo.NewMemoInstruction([]byte("note"), u.key()).Build()
		ids = append(ids, u.own("POST", "/transactions", u.transaction(note)).Text("id"))
	}
	page := u.own("GET", "/transactions", nil)
	assert.Len(t, page.At("transactions"), 20)
	assert.Equal(t, []string{"25", "20", "0"}, []string{page.Text("total"), page.Text("limit"), page.Text("offset")})
	assert.Equal(t, ids[24], page.Text("transactions", 0, "id"), "newest first")
	assert.Len(t, page.At("transactions", 0), 4, "id, signature, status, timestamp")
	page = u.own("GET", "/transactions?limit=10&offset=20", nil)
	assert.Len(t, page.At("transactions"), 5)
	assert.Equal(t, ids[0], page.Text("transactions", 4, "id"))
	assert.Len(t, u.own("GET", "/transactions?offset=30", nil).At("transactions"), 0)
	assert.Equal(t, "100", u.own("GET", "/transactions?limit=500", nil).Text("limit"))
}

func TestRefusesTransactions(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	u := userOf(t, s, "a@example.com")
	poor := u.no(400, "INSUFFICIENT_BALANCE", "POST", "/transactions", u.transaction(u.pay(1_000_000)))
	assert.NotEmpty(t, poor.At("error", "details", "logs"))
	require.NoError(t, s.FundWallet(u.address, 10_000_000))
	u.own("POST", "/transactions", u.transaction(u.pay(9_000_000)))
	u.no(400, "INSUFFICIENT_BALANCE", "POST", "/transactions", u.transaction(u.pay(9_000_000)))
	u.no(400, "INSUFFICIENT_BALANCE", "POST", "/transactions", u.transaction(u.pay(500_000))) // what stays is below rent

	stranger, sponsor := build.PublicKey(s.Keypair("merchant")), build.PublicKey(s.SmartAccount.Sponsor)
	for name, in := range map[string]solana.Instruction{
		"a stranger's signature": system.NewTransferInstruction(1, stranger, u.key()).Build(),
		"the sponsor's money":    solana.NewInstruction(solana.SystemProgramID, solana.AccountMetaSlice{solana.Meta(sponsor).WRITE(), solana.Meta(u.key()).WRITE()}, []byte{2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}),
		"no such program":        solana.NewInstruction(stranger, nil, nil),
		"nonsense":               solana.NewInstruction(solana.SystemProgramID, nil, []byte{99}),
		"too large":              memo.NewMemoInstruction(make([]byte, 2000), u.key()).Build(),
	} {
		t.Run(name, func(t *testing.T) { u.no(400, "VALIDATION_ERROR", "POST", "/transactions", u.transaction(in)) })
	}
	u.no(400, "VALIDATION_ERROR", "POST", "/transactions", map[string]any{"instructions": []any{}})
	u.no(400, "VALIDATION_ERROR", "POST", "/transactions", map[string]any{"instructions": []any{
		map[string]any{"programId": solana.SystemProgramID.String(), "accounts": []any{}, "data": "%"},
	}})
	assert.Equal(t, "1", u.own("GET", "/transactions", nil).Text("total"), "what is refused never lands")
	assert.Len(t, s.TakeProblems(), 2)
}

func TestSpendingLimitRefuses(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	u := userOf(t, s, "a@example.com")
	require.NoError(t, s.FundWallet(u.address, 1_000_000_000))
	made := u.own("POST", "/policies", map[string]any{"type": "spending_limit", "name": "Day", "params": map[string]any{
		"mint": s.Mint("SOL"), "amount": "100000000", "period": "daily",
	}})
	id := made.Text("id")
	assert.Equal(t, "100000000", made.Text("params", "amount"))
	assert.Equal(t, "active", made.Text("status"))

	u.own("POST", "/transactions", u.transaction(u.pay(60_000_000)))
	u.later(12 * time.Hour)
	u.own("POST", "/transactions", u.transaction(u.pay(20_000_000), u.pay(20_000_000)))
	a := u.no(400, "POLICY_VIOLATION", "POST", "/transactions", u.transaction(u.pay(1_000_000)))
	assert.Equal(t, map[string]any{"policyId": id, "type": "spending_limit"}, a.At("error", "details"))
	u.later(12 * time.Hour)
	u.own("POST", "/transactions", u.transaction(u.pay(60_000_000))) // a day after the first, the window has moved on
	u.no(400, "POLICY_VIOLATION", "POST", "/transactions", u.transaction(u.pay(1_000_000)))
	assert.EqualValues(t, 160_000_000, u.merchantHas())

	assert.Equal(t, true, u.own("PATCH", "/policies/"+id, map[string]any{"params": map[string]any{"amount": "110000000"}}).At("success"))
	u.own("POST", "/transactions", u.transaction(u.pay(10_000_000)))
	u.no(400, "POLICY_VIOLATION", "POST", "/transactions", u.transaction(u.pay(1)))
	u.no(400, "VALIDATION_ERROR", "PATCH", "/policies/"+id, map[string]any{"params": map[string]any{"amount": 5}})
	assert.Equal(t, []string{"field params.amount is not of type smartaccount.amount"}, s.TakeProblems())

	list := u.own("GET", "/policies", nil)
	assert.Equal(t, map[string]any{"id": id, "type": "spending_limit", "name": "Day", "status": "active"}, list.At("policies", 0))
	assert.Equal(t, true, u.own("DELETE", "/policies/"+id, nil).At("success"))
	u.no(404, "NOT_FOUND", "DELETE", "/policies/"+id, nil)
	assert.Equal(t, "deleted", u.own("GET", "/policies", nil).Text("policies", 0, "status"))
	u.own("POST", "/transactions", u.transaction(u.pay(100_000_000)))
	second := u.own("POST", "/policies", map[string]any{"type": "blocklist", "name": "x", "params": map[string]any{}}).Text("id")
	u.own("DELETE", "/policies/"+second, nil)
	assert.Equal(t, "1", u.own("GET", "/policies", nil).Text("total"), "the one stays in the list, the other does not")
}

func TestSpendingLimitSeesEveryWayOut(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	u := userOf(t, s, "a@example.com")
	usdc, key, thief := s.Token("USDC"), u.key(), build.PublicKey(s.Keypair("merchant"))
	require.NoError(t, s.FundToken(u.address, usdc.Mint, 1000))
	require.NoError(t, s.FundWallet(u.address, 1_000_000_000))
	u.own("POST", "/policies", map[string]any{"type": "spending_limit", "name": "Day", "params": map[string]any{
		"mint": usdc.Mint, "amount": "999", "period": "daily",
	}})
	source := usdc.Account(key)
	for name, in := range map[string]solana.Instruction{
		"approve":      token.NewApproveInstruction(1000, source, thief, key, nil).Build(),
		"change owner": token.NewSetAuthorityInstruction(token.AuthorityAccountOwner, thief, source, key, nil).Build(),
		"burn":         token.NewBurnInstruction(1000, source, usdc.Key, key, nil).Build(),
	} {
		t.Run(name, func(t *testing.T) { u.no(400, "POLICY_VIOLATION", "POST", "/transactions", u.transaction(in)) })
	}
	wrap := s.WrapSOL(key, 500_000_000)
	u.own("POST", "/transactions", u.transaction(wrap...))
	assert.Equal(t, "997960720", u.own("GET", "", nil).Text("balance", "SOL"), "wrapped is still SOL, but for the rent of the new account")
}

func TestOtherPolicies(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	u := userOf(t, s, "a@example.com")
	require.NoError(t, s.FundWallet(u.address, 1_000_000_000))
	for _, kind := range []string{"allowlist", "blocklist", "time_window", "approval_required"} {
		a := u.own("POST", "/policies", map[string]any{"type": kind, "name": kind, "params": map[string]any{"anything": []int{1}, "deep": map[string]any{"x": nil}}})
		assert.Equal(t, map[string]any{"anything": []any{json.Number("1")}, "deep": map[string]any{"x": nil}}, a.At("params"), "params stay as they are")
		u.own("POST", "/transactions", u.transaction(u.pay(1_000_000)))
		require.NoError(t, s.SmartAccount.SetPolicyRefuses(a.Text("id"), true))
		refused := u.no(400, "POLICY_VIOLATION", "POST", "/transactions", u.transaction(u.pay(1_000_000)))
		assert.Equal(t, kind, refused.Text("error", "details", "type"))
		require.NoError(t, s.SmartAccount.SetPolicyRefuses(a.Text("id"), false))
		u.own("PATCH", "/policies/"+a.Text("id"), map[string]any{"params": map[string]any{"more": 2}})
	}
	require.EqualError(t, s.SmartAccount.SetPolicyRefuses("pol_0", true), `sandbox: there is no policy "pol_0"`)
	mint := s.Mint("SOL")
	for _, params := range []any{
		map[string]any{"mint": mint, "amount": "1"}, map[string]any{"mint": mint, "period": "daily"},
		map[string]any{"mint": "x", "amount": "1", "period": "daily"}, map[string]any{"mint": mint, "amount": 1, "period": "daily"},
		map[string]any{"mint": mint, "amount": "1", "period": "daily", "x": 1}, []any{},
	} {
		u.no(400, "VALIDATION_ERROR", "POST", "/policies", map[string]any{"type": "spending_limit", "name": "x", "params": params})
	}
	assert.Equal(t, "4", u.own("GET", "/policies", nil).Text("total"))
	assert.Len(t, s.TakeProblems(), 7)
}

func TestSessionKeys(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	u := userOf(t, s, "a@example.com")
	require.NoError(t, s.FundWallet(u.address, 1_000_000_000))
	bot, merchant := s.Keypair("bot"), build.PublicKey(s.Keypair("merchant")).String()
	made := u.own("POST", "/sessions", map[string]any{
		"publicKey": build.PublicKey(bot).String(), "name": "bot", "expiresAt": "2026-01-03T00:00:00+01:00", "permissions": []string{"transfer"},
		"limits": map[string]any{"perTransaction": "10000000", "daily": "15000000", "allowedMints": []string{s.Mint("SOL")}, "allowedDestinations": []string{merchant}},
	})
	id := made.Text("id")
	assert.Regexp(t, "^sess_", id)
	assert.Equal(t, "2026-01-02T23:00:00.000Z", made.Text("expiresAt"))
	assert.Nil(t, made.At("limits"), "limits are not answered")

	refusedBy := func(limit string, body any) {
		t.Helper()
		a := u.no(400, "POLICY_VIOLATION", "POST", "/transactions", body)
		assert.Equal(t, map[string]any{"sessionId": id, "limit": limit}, a.At("error", "details"))
	}
	u.own("POST", "/transactions", u.signed(bot, u.pay(10_000_000)))
	refusedBy("perTransaction", u.signed(bot, u.pay(10_000_001)))
	refusedBy("daily", u.signed(bot, u.pay(5_000_001)))
	u.own("POST", "/transactions", u.signed(bot, u.pay(5_000_000)))
	refusedBy("daily", u.signed(bot, u.pay(1)))
	u.later(24 * time.Hour)
	u.own("POST", "/transactions", u.signed(bot, u.pay(1)))
	refusedBy("allowedDestinations", u.signed(bot, system.NewTransferInstruction(5_000_000, u.key(), s.Vault(play.Lending)).Build()))
	require.NoError(t, s.FundToken(u.address, s.Mint("USDC"), 100))
	refusedBy("allowedMints", u.signed(bot, token.NewBurnInstruction(1, s.Token("USDC").Account(u.key()), s.Token("USDC").Key, u.key(), nil).Build()))
	u.no(403, "FORBIDDEN", "POST", "/transactions", u.signed(bot, s.lendingProbe(u.key())))
	u.own("POST", "/transactions", u.transaction(u.pay(50_000_000))) // the owner is not bound by a session's limits

	u.no(403, "FORBIDDEN", "POST", "/transactions", u.signed(s.Keypair("other"), u.pay(1)))
	tampered := u.signed(bot, u.pay(1))
	tampered["instructions"] = u.transaction(u.pay(2))["instructions"]
	u.no(403, "FORBIDDEN", "POST", "/transactions", tampered)
	tampered["sessionKeySignature"] = "AAAA"
	u.no(403, "FORBIDDEN", "POST", "/transactions", tampered)

	u.later(23 * time.Hour)
	expired := u.no(401, "SESSION_EXPIRED", "POST", "/transactions", u.signed(bot, u.pay(1)))
	assert.Contains(t, expired.Text("error", "message"), "expired")
	assert.Equal(t, "expired", u.own("GET", "/sessions", nil).Text("sessions", 0, "status"))
}

// lendingProbe is an instruction of another service's program.
func (s *started) lendingProbe(owner solana.PublicKey) solana.Instruction {
	s.Lock()
	defer s.Unlock()
	return s.Instruct(play.Lending, build.Effect{Owner: owner})
}

func TestSessionsAreListedAndRevoked(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, NoLimits: true})
	u := userOf(t, s, "a@example.com")
	require.NoError(t, s.FundWallet(u.address, 1_000_000_000))
	var ids []string
	for _, name := range []string{"one", "two", "three"} {
		ids = append(ids, u.own("POST", "/sessions", map[string]any{
			"publicKey": build.PublicKey(s.Keypair(name)).String(), "name": name, "expiresAt": "2027-01-01T00:00:00Z", "permissions": []string{"swap", "transfer"},
		}).Text("id"))
	}
	u.own("POST", "/transactions", u.signed(s.Keypair("one"), u.pay(500_000_000))) // without limits nothing is bounded
	u.own("POST", "/transactions", u.signed(s.Keypair("one"), s.lendingProbe(u.key())))
	for _, id := range ids[:2] {
		assert.Equal(t, true, u.own("DELETE", "/sessions/"+id, nil).At("success"))
		u.no(404, "NOT_FOUND", "DELETE", "/sessions/"+id, nil)
	}
	u.no(403, "FORBIDDEN", "POST", "/transactions", u.signed(s.Keypair("one"), u.pay(1)))
	list := u.own("GET", "/sessions", nil)
	assert.Equal(t, "2", list.Text("total"), "one stays in the list, one does not")
	assert.Equal(t, "revoked", list.Text("sessions", 0, "status"))
	assert.Equal(t, map[string]any{
		"id": ids[2], "publicKey": build.PublicKey(s.Keypair("three")).String(), "name": "three", "expiresAt": "2027-01-01T00:00:00.000Z",
		"permissions": []any{"swap", "transfer"}, "status": "active",
	}, list.At("sessions", 1))

	for change, value := range map[string]any{"publicKey": "me", "expiresAt": "2025-12-31T00:00:00Z", "permissions": []string{}} {
		body := map[string]any{"publicKey": s.WalletAddress(), "name": "x", "expiresAt": "2027-01-01T00:00:00Z", "permissions": []string{"swap"}}
		body[change] = value
		u.no(400, "VALIDATION_ERROR", "POST", "/sessions", body)
	}
	assert.Len(t, s.TakeProblems(), 2)
}

func TestSessionKeyMessage(t *testing.T) {
	message, err := smartaccount.SessionKeyMessage([]byte(`[ {"data": "AQ==", "accounts": [{"isWritable": false, "pubkey": "11111111111111111111111111111111", "isSigner": true}], "programId": "11111111111111111111111111111111"} ]`))
	require.NoError(t, err)
	assert.Equal(t, `[{"programId":"11111111111111111111111111111111","accounts":[{"pubkey":"11111111111111111111111111111111","isSigner":true,"isWritable":false}],"data":"AQ=="}]`, string(message))
	_, err = smartaccount.SessionKeyMessage([]byte(`[{"programId": "11111111111111111111111111111111", "data": ""}]`))
	assert.EqualError(t, err, "sandbox: field instructions[0].accounts is missing")
}
