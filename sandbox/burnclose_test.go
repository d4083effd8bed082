package sandbox

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// burnCloseDeposit is the rent of a plain token account.
const burnCloseDeposit = (165 + 128) * 6960

// burnCloseAsk posts a request of the wallet's; more are name, value, ....
func (s *started) burnCloseAsk(t *testing.T, path string, more ...any) answer {
	t.Helper()
	body := map[string]any{"userPublicKey": s.WalletAddress()}
	for i := 0; i < len(more); i += 2 {
		body[more[i].(string)] = more[i+1]
	}
	return s.do(t, BurnClose, "POST", path, body)
}

// burnCloseOK is burnCloseAsk where the answer has to be good.
func (s *started) burnCloseOK(t *testing.T, path string, more ...any) answer {
	t.Helper()
	a := s.burnCloseAsk(t, path, more...)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a
}

func TestBurnCloseBurnsAllAndCloses(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	owner, dust := s.WalletAddress(), s.Mint("DUST")
	account := s.Ledger().AssociatedAccount(owner, dust)
	before := s.Ledger().Balance(owner)

	preview := s.burnCloseOK(t, "/burn/preview", "assetId", dust)
	assert.Equal(t, "burn_and_close", preview.text("operationType"))
	assert.Equal(t, "2039280", preview.text("lamportsReclaimed"))
	assert.Equal(t, "137", preview.text("asset", "burnAmount"))
	assert.Equal(t, account, preview.text("asset", "tokenAccount"))
	assert.Equal(t, "5000", preview.text("fees", "totalFeeLamports"))
	assert.Nil(t, preview.at("serializedTransaction"))

	a := s.burnCloseOK(t, "/burn", "assetId", dust)
	assert.Equal(t, "2039280", a.text("lamportsReclaimed"))
	assert.Equal(t, "0.00203928", a.text("solReclaimed"))
	assert.Equal(t, "burn_and_close", a.text("operationType"))
	assert.EqualValues(t, 137, s.Ledger().TokenBalance(owner, dust), "building burns nothing")
	require.Nil(t, s.burnCloseLand(t, a.text("serializedTransaction")).Err)
	_, ok := s.Ledger().Account(account)
	assert.False(t, ok)
	assert.Equal(t, before+burnCloseDeposit-5000, s.Ledger().Balance(owner))
	assert.Equal(t, 404, s.burnCloseAsk(t, "/burn", "assetId", dust).Status)
}

func TestBurnCloseBurnsInPart(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 2})
	owner, dust := s.WalletAddress(), s.Mint("DUST")
	for _, amount := range []any{"37", 37} {
		a := s.burnCloseOK(t, "/burn", "assetId", dust, "burnAmount", amount, "autoCloseTokenAccounts", true)
		assert.Equal(t, "burn", a.text("operation"))
		assert.Equal(t, "0", a.text("reclaimedLamports"))
		require.Nil(t, s.burnCloseLand(t, a.text("serializedTransaction")).Err)
		s.Advance(1e9) // the same transaction again needs another blockhash
	}
	assert.EqualValues(t, 63, s.Ledger().TokenBalance(owner, dust))
	assert.Contains(t, string(s.burnCloseAsk(t, "/burn", "assetId", dust, "burnAmount", "64").Raw), "holds 63")
	assert.Contains(t, string(s.burnCloseAsk(t, "/close", "assetId", dust).Raw), "still holds 63")

	a := s.burnCloseOK(t, "/burn", "assetId", dust, "autoCloseTokenAccounts", false)
	assert.Equal(t, "0.000000000", a.text("reclaimedSol"))
	require.Nil(t, s.burnCloseLand(t, a.text("serializedTransaction")).Err)
	assert.Contains(t, string(s.burnCloseAsk(t, "/burn", "assetId", dust).Raw), "empty")
	closing := s.burnCloseOK(t, "/close", "assetId", s.Ledger().AssociatedAccount(owner, dust))
	assert.Equal(t, "close", closing.text("operation"))
	assert.Equal(t, "2039280", closing.text("reclaimedLamports"))
	require.Nil(t, s.burnCloseLand(t, closing.text("serializedTransaction")).Err)
	assert.Zero(t, s.Ledger().TokenBalance(owner, dust))
}

func TestBurnCloseWrappedSOLAndWithheldFees(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	owner := s.WalletAddress()
	require.NoError(t, s.FundToken(owner, s.Mint("SOL"), 1_000_000))
	assert.Equal(t, 400, s.burnCloseAsk(t, "/burn", "assetId", s.Mint("SOL")).Status)
	before := s.Ledger().Balance(owner)
	partner := solana.PublicKey{9}.String()
	require.NoError(t, s.FundWallet(partner, lamportsPerSOL))
	a := s.burnCloseOK(t, "/close", "assetId", s.Mint("SOL"), "partnerFeeAccount", partner, "partnerFeeBps", 9800)
	assert.Equal(t, "3039280", a.text("lamportsReclaimed"))
	require.Nil(t, s.burnCloseLand(t, a.text("serializedTransaction")).Err)
	fee := uint64(burnCloseDeposit * 98 / 100)
	assert.Equal(t, before+burnCloseDeposit+1_000_000-fee-5000, s.Ledger().Balance(owner), "what was wrapped is not shared")
	assert.Equal(t, lamportsPerSOL+fee, s.Ledger().Balance(partner))

	s.burnCloseTaxed(t, owner)
	taxed := s.burnCloseOK(t, "/burn", "assetId", s.Mint("TAXED"))
	require.Nil(t, s.burnCloseLand(t, taxed.text("serializedTransaction")).Err, "what was withheld is harvested first")
	_, ok := s.Ledger().Account(s.Ledger().AssociatedAccount(owner, s.Mint("TAXED")))
	assert.False(t, ok)
}

// burnCloseTaxed sends a wallet a token that withholds a fee.
func (s *started) burnCloseTaxed(t *testing.T, owner string) {
	t.Helper()
	s.mu.Lock()
	token, me, vault := s.token("TAXED"), solana.MustPublicKeyFromBase58(owner), s.vault(BurnClose)
	s.stock(BurnClose, token.key, 1000)
	in := s.instruct(BurnClose, effect{owner: me, moves: []move{{vault, me, token, 1000}}})
	tx, err := s.build(BurnClose, unsigned{owner: me, instructions: []solana.Instruction{createAccount(me, me, token), in}})
	s.mu.Unlock()
	require.NoError(t, err)
	require.Nil(t, s.signAndSubmit(t, tx.base64()).Err)
	s.mu.Lock()
	defer s.mu.Unlock()
	held, ok := ledger.AsToken(s.chain.Account(token.account(me)))
	require.True(t, ok)
	require.EqualValues(t, 10, held.Withheld())
}

func TestBurnCloseSponsorPaysTheFee(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 2})
	sponsor := ed25519.NewKeyFromSeed(make([]byte, 32))
	address := publicKey(sponsor).String()
	require.NoError(t, s.FundWallet(address, lamportsPerSOL))
	before := s.Ledger().Balance(s.WalletAddress())
	more := []any{"assetId", s.Mint("DUST"), "feePayer", address, "priorityFeeMicroLamports", 2_000_000}

	preview := s.burnCloseOK(t, "/burn/preview", more...)
	assert.Equal(t, address, preview.text("feePayer"))
	assert.Equal(t, "10000", preview.text("feeBreakdown", 0, "lamports"), "two signatures")
	assert.Equal(t, "70000", preview.text("feeBreakdown", 1, "lamports"), "2 lamports for each of 35,000 units")
	assert.Equal(t, "137", preview.text("burned"))
	assert.Equal(t, true, preview.at("closesAccount"))

	a := s.burnCloseOK(t, "/burn", more...)
	half := sign(t, burnCloseBase64(t, a.text("serializedTransaction")), s.Wallet())
	unsigned := s.do(t, BurnClose, "POST", "/transactions/send", map[string]any{"signedTransaction": base58.Encode(half)})
	assert.Equal(t, 400, unsigned.Status)
	assert.Contains(t, string(unsigned.Raw), "not signed by "+address)
	r := s.signAndSubmitAs(t, base64.StdEncoding.EncodeToString(half), sponsor)
	require.Nil(t, r.Err)
	assert.EqualValues(t, 80_000, r.Fee)
	assert.Equal(t, before+burnCloseDeposit, s.Ledger().Balance(s.WalletAddress()), "the deposit is the owner's")
	assert.EqualValues(t, lamportsPerSOL-80_000, s.Ledger().Balance(address))
}

func TestBurnCloseFormats(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	for _, legacy := range []bool{true, false} {
		a := s.burnCloseOK(t, "/burn", "assetId", s.Mint("DUST"), "asLegacyTransaction", legacy)
		raw, err := base58.Decode(a.text("serializedTransaction"))
		require.NoError(t, err)
		tx, err := ledger.Parse(raw)
		require.NoError(t, err)
		assert.Equal(t, legacy, tx.Version == ledger.Legacy)
	}
}

func TestBurnCloseReferralStaysOnTheLedger(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	more := []any{"assetId", s.Mint("DUST"), "referralCode", "friend42"}
	assert.Equal(t, "friend42", s.burnCloseOK(t, "/burn/preview", more...).text("referralCode"))
	r := s.burnCloseLand(t, s.burnCloseOK(t, "/burn", more...).text("serializedTransaction"))
	require.Nil(t, r.Err)
	assert.Contains(t, strings.Join(r.Logs, "\n"), "Memo: referral:friend42")
}

func TestBurnCloseInstructions(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	partner := solana.PublicKey{7}.String()
	require.NoError(t, s.FundWallet(partner, lamportsPerSOL))
	more := []any{"assetId", s.Mint("DUST"), "partnerFeeAccount", partner, "partnerFeeBps", 100}
	objects := s.burnCloseOK(t, "/burn-instructions", more...)
	require.Len(t, objects.at("instructions"), 3)
	assert.Equal(t, solana.TokenProgramID.String(), objects.text("instructions", 0, "programId"))
	assert.Equal(t, s.WalletAddress(), objects.text("instructions", 0, "accounts", 2, "pubkey"))
	assert.Equal(t, true, objects.at("instructions", 0, "accounts", 2, "isSigner"))
	assert.Equal(t, "CQ==", objects.text("instructions", 1, "data"), "close account")
	assert.Equal(t, partner, objects.text("instructions", 2, "accounts", 1, "pubkey"))
	texts := s.burnCloseOK(t, "/burn-instructions", more...)
	raw, err := base58.Decode(texts.text("instructions", 1))
	require.NoError(t, err)
	assert.Equal(t, solana.TokenProgramID[:], raw[:32])
	assert.Equal(t, []byte{1, 0, 0, 0, 9}, raw[len(raw)-5:])

	empty, err := s.OpenEmptyAccounts(s.WalletAddress(), 1)
	require.NoError(t, err)
	closing := s.burnCloseOK(t, "/close-instructions", "assetId", empty[0])
	assert.Len(t, closing.at("instructions"), 1)
	assert.Equal(t, "2039280", closing.text("lamportsReclaimed"))
	preview := s.burnCloseOK(t, "/close/preview", "assetId", empty[0])
	assert.Equal(t, "close", preview.text("operationType"))
}

func TestBurnCloseRefusals(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	dust, partner := s.Mint("DUST"), s.WalletAddress()
	for name, test := range map[string]struct {
		path      string
		more      []any
		status    int
		violation string
	}{
		"bad user":             {"/burn", []any{"userPublicKey", "nobody", "assetId", dust}, 400, ""},
		"bad asset":            {"/close", []any{"assetId", "nothing"}, 400, ""},
		"bad payer":            {"/close", []any{"assetId", dust, "feePayer", "x"}, 400, ""},
		"bad partner":          {"/close", []any{"assetId", dust, "partnerFeeAccount", "x", "partnerFeeBps", 1}, 400, ""},
		"no asset":             {"/burn", nil, 400, "field assetId is missing"},
		"unknown asset":        {"/close", []any{"assetId", solana.PublicKey{5}.String()}, 404, ""},
		"poor partner":         {"/burn", []any{"assetId", dust, "partnerFeeAccount", solana.PublicKey{5}.String(), "partnerFeeBps", 1}, 400, ""},
		"partner alone":        {"/burn", []any{"assetId", dust, "partnerFeeAccount", partner}, 400, "partnerFeeAccount and partnerFeeBps go together"},
		"share alone":          {"/batch/close-all", []any{"partnerFeeBps", 0}, 400, "partnerFeeAccount and partnerFeeBps go together"},
		"share too big":        {"/burn", []any{"assetId", dust, "partnerFeeAccount", partner, "partnerFeeBps", 9801}, 400, "field partnerFeeBps is out of range: 9801"},
		"referral and partner": {"/burn", []any{"assetId", dust, "partnerFeeAccount", partner, "partnerFeeBps", 1, "referralCode", "abc"}, 400, "referralCode and the partner fee exclude each other"},
		"short referral":       {"/burn", []any{"assetId", dust, "referralCode", "a"}, 400, "referralCode is not 2 to 20 lowercase letters and digits"},
		"loud referral":        {"/batch/close-all", []any{"referralCode", "ABC"}, 400, "referralCode is not 2 to 20 lowercase letters and digits"},
		"amount of a close":    {"/close", []any{"assetId", dust, "burnAmount", 1}, 400, "unknown field burnAmount"},
		"offset of a burn":     {"/burn", []any{"assetId", dust, "offset", 1}, 400, "unknown field offset"},
		"asset of a batch":     {"/batch/close-all", []any{"assetId", dust}, 400, "unknown field assetId"},
		"no amount":            {"/burn", []any{"assetId", dust, "burnAmount", "0"}, 400, "field burnAmount is not of type sandbox.burnCloseAmount"},
		"half an amount":       {"/burn", []any{"assetId", dust, "burnAmount", 0.5}, 400, "field burnAmount is not of type sandbox.burnCloseAmount"},
		"negative fee":         {"/burn", []any{"assetId", dust, "priorityFeeMicroLamports", -1}, 400, "field priorityFeeMicroLamports is not of type uint64"},
		"negative offset":      {"/batch/close-all", []any{"offset", -1}, 400, "field offset is out of range: -1"},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.burnCloseAsk(t, test.path, test.more...)
			assert.Equal(t, test.status, a.Status, "%s", a.Raw)
			var violations []string
			if test.violation != "" {
				violations = []string{test.violation}
			}
			assert.Equal(t, violations, s.takeViolations())
		})
	}
}

func TestBurnCloseCredentials(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	key := s.APIKey(BurnClose)
	ask := func(headers ...string) int {
		return s.do(t, BurnClose, "POST", "/batch/close-all/summary", map[string]any{"userPublicKey": s.WalletAddress()}, headers...).Status
	}
	assert.Equal(t, 200, ask())
	assert.Equal(t, 200, ask("X-Api-Key", "", "Authorization", "Bearer "+key))
	assert.Equal(t, 401, ask("X-Api-Key", "wrong"))
	assert.Empty(t, s.takeViolations())
	assert.Equal(t, 401, ask("Authorization", "Bearer "+key), "both")
	assert.Equal(t, 401, ask("X-Api-Key", ""))
	assert.Len(t, s.takeViolations(), 2)

	for range 2 { // both shapes
		a := s.do(t, BurnClose, "POST", "/api-keys/generate", map[string]any{"name": "bot"}, "X-Api-Key", "")
		made := a.text("apiKey")
		if a.Status == http.StatusCreated {
			made = a.text("data", "key")
			assert.Equal(t, "bot", a.text("data", "label"))
		}
		require.NotEmpty(t, made)
		assert.Equal(t, 200, ask("X-Api-Key", made))
	}
	assert.Equal(t, 200, s.do(t, BurnClose, "POST", "/api-keys/generate", nil).Status, "no body, and a key")
}

func TestBurnCloseDocuments(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	for path, want := range map[string][2]string{
		"/openapi.json":            {"application/json", `"/batch/close-all/summary":{"post"`},
		"/.well-known/api-catalog": {"application/linkset+json", "/openapi.json"},
		"/llms.txt":                {"text/plain; charset=utf-8", "- POST /burn\n"},
		"/llms.md":                 {"text/markdown; charset=utf-8", "- POST /burn\n"},
		"/llms-full.txt":           {"text/plain; charset=utf-8", "- `maxConcurrency`"},
		"/DOCS.md":                 {"text/markdown; charset=utf-8", "## POST /transactions/send-batch"},
	} {
		a := s.do(t, BurnClose, "GET", path, nil, "X-Api-Key", "")
		assert.Equal(t, 200, a.Status, path)
		assert.Equal(t, want[0], a.Header.Get("Content-Type"), path)
		assert.Contains(t, string(a.Raw), want[1], path)
	}
	var described struct{ Paths map[string]json.RawMessage }
	require.NoError(t, json.Unmarshal(s.do(t, BurnClose, "GET", "/openapi.json", nil, "X-Api-Key", "").Raw, &described))
	assert.Len(t, described.Paths, 21)
	assert.Equal(t, "ok", s.do(t, BurnClose, "GET", "/", nil, "X-Api-Key", "").text("status"))
	assert.Equal(t, true, s.do(t, BurnClose, "GET", "/", nil, "X-Api-Key", "").at("healthy"))
	assert.Equal(t, 400, s.do(t, BurnClose, "GET", "/llms.txt", nil).Status)
	assert.Len(t, s.takeViolations(), 1, "a key where none is asked for")
}

func TestBurnCloseRoutes(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	n := 0
	for _, r := range s.Routes() {
		if r.Service == BurnClose {
			n++
		}
	}
	assert.Equal(t, 21, n)
}

func TestBurnCloseAttack(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	_, err := s.OpenEmptyAccounts(s.WalletAddress(), 1)
	require.NoError(t, err)
	s.Attack(func(string, []byte, [32]byte) []byte { return []byte("evil") })
	evil := base58.Encode([]byte("evil"))
	assert.Equal(t, evil, s.burnCloseOK(t, "/burn", "assetId", s.Mint("DUST")).text("serializedTransaction"))
	assert.Equal(t, evil, s.burnCloseOK(t, "/close", "assetId", s.burnCloseEmpty(t)).text("serializedTransaction"))
	assert.Equal(t, evil, s.burnCloseOK(t, "/batch/close-all").text("transactions", 0))
}

// burnCloseEmpty opens an empty account.
func (s *started) burnCloseEmpty(t *testing.T) string {
	t.Helper()
	addresses, err := s.OpenEmptyAccounts(s.WalletAddress(), 1)
	require.NoError(t, err)
	return addresses[0]
}

// burnCloseBase64 writes base58 as base64, which the frame's helpers cannot
// mistake for something else.
func burnCloseBase64(t *testing.T, text string) string {
	t.Helper()
	raw, err := base58.Decode(text)
	require.NoError(t, err)
	return base64.StdEncoding.EncodeToString(raw)
}

// burnCloseLand signs and executes a transaction that the service answered.
func (s *started) burnCloseLand(t *testing.T, text string) *ledger.Receipt {
	t.Helper()
	return s.signAndSubmit(t, burnCloseBase64(t, text))
}
