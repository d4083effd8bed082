package burnclose_test

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
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct{ *worldtest.World }

type answer = worldtest.Answer

func start(t *testing.T, c play.Config) *started { return &started{worldtest.Start(t, c)} }

// deposit is the rent of a plain token account.
const deposit = (165 + 128) * 6960

// burnCloseAsk posts a request of the wallet's; more are name, value, ....
func (s *started) ask(t *testing.T, path string, more ...any) answer {
	t.Helper()
	body := map[string]any{"userPublicKey": s.WalletAddress()}
	for i := 0; i < len(more); i += 2 {
		body[more[i].(string)] = more[i+1]
	}
	return s.Do(t, play.BurnClose, "POST", path, body)
}

// burnCloseOK is burnCloseAsk where the answer has to be good.
func (s *started) ok(t *testing.T, path string, more ...any) answer {
	t.Helper()
	a := s.ask(t, path, more...)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a
}

func TestBurnsAllAndCloses(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	owner, dust := s.WalletAddress(), s.Mint("DUST")
	account := s.View().AssociatedAccount(owner, dust)
	before := s.View().Balance(owner)

	preview := s.ok(t, "/burn/preview", "assetId", dust)
	assert.Equal(t, "burn_and_close", preview.Text("operationType"))
	assert.Equal(t, "2039280", preview.Text("lamportsReclaimed"))
	assert.Equal(t, "137", preview.Text("asset", "burnAmount"))
	assert.Equal(t, account, preview.Text("asset", "tokenAccount"))
	assert.Equal(t, "5000", preview.Text("fees", "totalFeeLamports"))
	assert.Nil(t, preview.At("serializedTransaction"))

	a := s.ok(t, "/burn", "assetId", dust)
	assert.Equal(t, "2039280", a.Text("lamportsReclaimed"))
	assert.Equal(t, "0.00203928", a.Text("solReclaimed"))
	assert.Equal(t, "burn_and_close", a.Text("operationType"))
	assert.EqualValues(t, 137, s.View().TokenBalance(owner, dust), "building burns nothing")
	require.Nil(t, s.land(t, a.Text("serializedTransaction")).Err)
	_, ok := s.View().Account(account)
	assert.False(t, ok)
	assert.Equal(t, before+deposit-5000, s.View().Balance(owner))
	assert.Equal(t, 404, s.ask(t, "/burn", "assetId", dust).Status)
}

func TestBurnsInPart(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 2})
	owner, dust := s.WalletAddress(), s.Mint("DUST")
	for _, amount := range []any{"37", 37} {
		a := s.ok(t, "/burn", "assetId", dust, "burnAmount", amount, "autoCloseTokenAccounts", true)
		assert.Equal(t, "burn", a.Text("operation"))
		assert.Equal(t, "0", a.Text("reclaimedLamports"))
		require.Nil(t, s.land(t, a.Text("serializedTransaction")).Err)
		s.Advance(1e9) // the same transaction again needs another blockhash
	}
	assert.EqualValues(t, 63, s.View().TokenBalance(owner, dust))
	assert.Contains(t, string(s.ask(t, "/burn", "assetId", dust, "burnAmount", "64").Raw), "holds 63")
	assert.Contains(t, string(s.ask(t, "/close", "assetId", dust).Raw), "still holds 63")

	a := s.ok(t, "/burn", "assetId", dust, "autoCloseTokenAccounts", false)
	assert.Equal(t, "0.000000000", a.Text("reclaimedSol"))
	require.Nil(t, s.land(t, a.Text("serializedTransaction")).Err)
	assert.Contains(t, string(s.ask(t, "/burn", "assetId", dust).Raw), "empty")
	closing := s.ok(t, "/close", "assetId", s.View().AssociatedAccount(owner, dust))
	assert.Equal(t, "close", closing.Text("operation"))
	assert.Equal(t, "2039280", closing.Text("reclaimedLamports"))
	require.Nil(t, s.land(t, closing.Text("serializedTransaction")).Err)
	assert.Zero(t, s.View().TokenBalance(owner, dust))
}

func TestWrappedSOLAndWithheldFees(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	owner := s.WalletAddress()
	require.NoError(t, s.FundToken(owner, s.Mint("SOL"), 1_000_000))
	assert.Equal(t, 400, s.ask(t, "/burn", "assetId", s.Mint("SOL")).Status)
	before := s.View().Balance(owner)
	partner := solana.PublicKey{9}.String()
	require.NoError(t, s.FundWallet(partner, build.LamportsPerSOL))
	a := s.ok(t, "/close", "assetId", s.Mint("SOL"), "partnerFeeAccount", partner, "partnerFeeBps", 9800)
	assert.Equal(t, "3039280", a.Text("lamportsReclaimed"))
	require.Nil(t, s.land(t, a.Text("serializedTransaction")).Err)
	fee := uint64(deposit * 98 / 100)
	assert.Equal(t, before+deposit+1_000_000-fee-5000, s.View().Balance(owner), "what was wrapped is not shared")
	assert.Equal(t, build.LamportsPerSOL+fee, s.View().Balance(partner))

	s.taxed(t, owner)
	taxed := s.ok(t, "/burn", "assetId", s.Mint("TAXED"))
	require.Nil(t, s.land(t, taxed.Text("serializedTransaction")).Err, "what was withheld is harvested first")
	_, ok := s.View().Account(s.View().AssociatedAccount(owner, s.Mint("TAXED")))
	assert.False(t, ok)
}

// burnCloseTaxed sends a wallet a token that withholds a fee.
func (s *started) taxed(t *testing.T, owner string) {
	t.Helper()
	s.Lock()
	token, me, vault := s.Token("TAXED"), solana.MustPublicKeyFromBase58(owner), s.Vault(play.BurnClose)
	s.Stock(play.BurnClose, token.Key, 1000)
	in := s.Instruct(play.BurnClose, build.Effect{Owner: me, Moves: []build.Move{{From: vault, To: me, Token: token, Amount: 1000}}})
	tx := s.Build(play.BurnClose, build.Unsigned{Owner: me, Instructions: []solana.Instruction{build.CreateAccount(me, me, token), in}})
	s.Unlock()
	require.Nil(t, s.SignAndSubmit(t, tx.Base64()).Err)
	s.Lock()
	defer s.Unlock()
	held, ok := ledger.AsToken(s.Chain.Account(token.Account(me)))
	require.True(t, ok)
	require.EqualValues(t, 10, held.Withheld())
}

func TestSponsorPaysTheFee(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 2})
	sponsor := ed25519.NewKeyFromSeed(make([]byte, 32))
	address := build.PublicKey(sponsor).String()
	require.NoError(t, s.FundWallet(address, build.LamportsPerSOL))
	before := s.View().Balance(s.WalletAddress())
	more := []any{"assetId", s.Mint("DUST"), "feePayer", address, "priorityFeeMicroLamports", 2_000_000}

	preview := s.ok(t, "/burn/preview", more...)
	assert.Equal(t, address, preview.Text("feePayer"))
	assert.Equal(t, "10000", preview.Text("feeBreakdown", 0, "lamports"), "two signatures")
	assert.Equal(t, "70000", preview.Text("feeBreakdown", 1, "lamports"), "2 lamports for each of 35,000 units")
	assert.Equal(t, "137", preview.Text("burned"))
	assert.Equal(t, true, preview.At("closesAccount"))

	a := s.ok(t, "/burn", more...)
	half := worldtest.Sign(t, worldtest.Base64(t, a.Text("serializedTransaction")), s.Wallet())
	unsigned := s.Do(t, play.BurnClose, "POST", "/transactions/send", map[string]any{"signedTransaction": base58.Encode(half)})
	assert.Equal(t, 400, unsigned.Status)
	assert.Contains(t, string(unsigned.Raw), "not signed by "+address)
	r := s.SignAndSubmitAs(t, base64.StdEncoding.EncodeToString(half), sponsor)
	require.Nil(t, r.Err)
	assert.EqualValues(t, 80_000, r.Fee)
	assert.Equal(t, before+deposit, s.View().Balance(s.WalletAddress()), "the deposit is the owner's")
	assert.EqualValues(t, build.LamportsPerSOL-80_000, s.View().Balance(address))
}

func TestFormats(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	for _, legacy := range []bool{true, false} {
		a := s.ok(t, "/burn", "assetId", s.Mint("DUST"), "asLegacyTransaction", legacy)
		raw, err := base58.Decode(a.Text("serializedTransaction"))
		require.NoError(t, err)
		tx, err := ledger.Parse(raw)
		require.NoError(t, err)
		assert.Equal(t, legacy, tx.Version == ledger.Legacy)
	}
}

func TestReferralStaysOnTheLedger(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	more := []any{"assetId", s.Mint("DUST"), "referralCode", "friend42"}
	assert.Equal(t, "friend42", s.ok(t, "/burn/preview", more...).Text("referralCode"))
	r := s.land(t, s.ok(t, "/burn", more...).Text("serializedTransaction"))
	require.Nil(t, r.Err)
	assert.Contains(t, strings.Join(r.Logs, "\n"), "Program log: referral:friend42")
}

func TestInstructions(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	partner := solana.PublicKey{7}.String()
	require.NoError(t, s.FundWallet(partner, build.LamportsPerSOL))
	more := []any{"assetId", s.Mint("DUST"), "partnerFeeAccount", partner, "partnerFeeBps", 100}
	objects := s.ok(t, "/burn-instructions", more...)
	require.Len(t, objects.At("instructions"), 3)
	assert.Equal(t, solana.TokenProgramID.String(), objects.Text("instructions", 0, "programId"))
	assert.Equal(t, s.WalletAddress(), objects.Text("instructions", 0, "accounts", 2, "pubkey"))
	assert.Equal(t, true, objects.At("instructions", 0, "accounts", 2, "isSigner"))
	assert.Equal(t, "CQ==", objects.Text("instructions", 1, "data"), "close account")
	assert.Equal(t, partner, objects.Text("instructions", 2, "accounts", 1, "pubkey"))
	texts := s.ok(t, "/burn-instructions", more...)
	raw, err := base58.Decode(texts.Text("instructions", 1))
	require.NoError(t, err)
	assert.Equal(t, solana.TokenProgramID[:], raw[:32])
	assert.Equal(t, []byte{1, 0, 0, 0, 9}, raw[len(raw)-5:])

	empty, err := s.BurnClose.OpenEmptyAccounts(s.WalletAddress(), 1)
	require.NoError(t, err)
	closing := s.ok(t, "/close-instructions", "assetId", empty[0])
	assert.Len(t, closing.At("instructions"), 1)
	assert.Equal(t, "2039280", closing.Text("lamportsReclaimed"))
	preview := s.ok(t, "/close/preview", "assetId", empty[0])
	assert.Equal(t, "close", preview.Text("operationType"))
}

func TestRefusals(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	dust, partner := s.Mint("DUST"), s.WalletAddress()
	for name, test := range map[string]struct {
		path      string
		more      []any
		status    int
		violation string
	}{
		"bad user":             {"/burn", []any{"userPublicKey", "nobody", "assetId", dust}, 400, "field userPublicKey is no address"},
		"bad asset":            {"/close", []any{"assetId", "nothing"}, 400, "field assetId is no address"},
		"bad payer":            {"/close", []any{"assetId", dust, "feePayer", "x"}, 400, "field feePayer is no address"},
		"bad partner":          {"/close", []any{"assetId", dust, "partnerFeeAccount", "x", "partnerFeeBps", 1}, 400, "field partnerFeeAccount is no address"},
		"no asset":             {"/burn", nil, 400, "field assetId is missing"},
		"unknown asset":        {"/close", []any{"assetId", solana.PublicKey{5}.String()}, 404, ""},
		"poor partner":         {"/burn", []any{"assetId", dust, "partnerFeeAccount", solana.PublicKey{5}.String(), "partnerFeeBps", 1}, 400, ""},
		"partner alone":        {"/burn", []any{"assetId", dust, "partnerFeeAccount", partner}, 400, "partnerFeeAccount and partnerFeeBps go together"},
		"share alone":          {"/batch/close-all", []any{"partnerFeeBps", 0}, 400, "partnerFeeAccount and partnerFeeBps go together"},
		"share too big":        {"/burn", []any{"assetId", dust, "partnerFeeAccount", partner, "partnerFeeBps", 9801}, 400, "field partnerFeeBps is out of range: 9801"},
		"referral and partner": {"/burn", []any{"assetId", dust, "partnerFeeAccount", partner, "partnerFeeBps", 1, "referralCode", "abc"}, 400, "referralCode excludes the partner fee"},
		"short referral":       {"/burn", []any{"assetId", dust, "referralCode", "a"}, 400, "field referralCode does not match ^[a-z0-9]{2,20}$"},
		"loud referral":        {"/batch/close-all", []any{"referralCode", "ABC"}, 400, "field referralCode does not match ^[a-z0-9]{2,20}$"},
		"amount of a close":    {"/close", []any{"assetId", dust, "burnAmount", 1}, 400, "unknown field burnAmount"},
		"offset of a burn":     {"/burn", []any{"assetId", dust, "offset", 1}, 400, "unknown field offset"},
		"asset of a batch":     {"/batch/close-all", []any{"assetId", dust}, 400, "unknown field assetId"},
		"no amount":            {"/burn", []any{"assetId", dust, "burnAmount", "0"}, 400, "field burnAmount is not of type burnclose.amount"},
		"half an amount":       {"/burn", []any{"assetId", dust, "burnAmount", 0.5}, 400, "field burnAmount is not of type burnclose.amount"},
		"negative fee":         {"/burn", []any{"assetId", dust, "priorityFeeMicroLamports", -1}, 400, "field priorityFeeMicroLamports is not of type uint64"},
		"negative offset":      {"/batch/close-all", []any{"offset", -1}, 400, "field offset is not of type int"},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.ask(t, test.path, test.more...)
			assert.Equal(t, test.status, a.Status, "%s", a.Raw)
			var violations []string
			if test.violation != "" {
				violations = []string{test.violation}
			}
			assert.Equal(t, violations, s.TakeProblems())
		})
	}
}

func TestCredentials(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	key := s.APIKey(play.BurnClose)
	ask := func(headers ...string) int {
		return s.Do(t, play.BurnClose, "POST", "/batch/close-all/summary", map[string]any{"userPublicKey": s.WalletAddress()}, headers...).Status
	}
	assert.Equal(t, 200, ask())
	assert.Equal(t, 200, ask("X-Api-Key", "", "Authorization", "Bearer "+key))
	assert.Equal(t, 401, ask("X-Api-Key", "wrong"))
	assert.Empty(t, s.TakeProblems())
	assert.Equal(t, 401, ask("Authorization", "Bearer "+key), "both")
	assert.Equal(t, 401, ask("X-Api-Key", ""))
	assert.Len(t, s.TakeProblems(), 2)

	for range 2 { // both shapes
		a := s.Do(t, play.BurnClose, "POST", "/api-keys/generate", map[string]any{"name": "bot"}, "X-Api-Key", "")
		made := a.Text("apiKey")
		if a.Status == http.StatusCreated {
			made = a.Text("data", "key")
			assert.Equal(t, "bot", a.Text("data", "label"))
		}
		require.NotEmpty(t, made)
		assert.Equal(t, 200, ask("X-Api-Key", made))
	}
	assert.Equal(t, 200, s.Do(t, play.BurnClose, "POST", "/api-keys/generate", nil).Status, "no body, and a key")
}

func TestDocuments(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	for path, want := range map[string][2]string{
		"/openapi.json":            {"application/json", `"/batch/close-all/summary":{"post"`},
		"/.well-known/api-catalog": {"application/linkset+json", "/openapi.json"},
		"/llms.txt":                {"text/plain; charset=utf-8", "- POST /burn\n"},
		"/llms.md":                 {"text/markdown; charset=utf-8", "- POST /burn\n"},
		"/llms-full.txt":           {"text/plain; charset=utf-8", "- `maxConcurrency`"},
		"/DOCS.md":                 {"text/markdown; charset=utf-8", "## POST /transactions/send-batch"},
	} {
		a := s.Do(t, play.BurnClose, "GET", path, nil, "X-Api-Key", "")
		assert.Equal(t, 200, a.Status, path)
		assert.Equal(t, want[0], a.Header.Get("Content-Type"), path)
		assert.Contains(t, string(a.Raw), want[1], path)
	}
	var described struct{ Paths map[string]json.RawMessage }
	require.NoError(t, json.Unmarshal(s.Do(t, play.BurnClose, "GET", "/openapi.json", nil, "X-Api-Key", "").Raw, &described))
	assert.Len(t, described.Paths, 21)
	assert.Equal(t, "ok", s.Do(t, play.BurnClose, "GET", "/", nil, "X-Api-Key", "").Text("status"))
	assert.Equal(t, true, s.Do(t, play.BurnClose, "GET", "/", nil, "X-Api-Key", "").At("healthy"))
	assert.Equal(t, 400, s.Do(t, play.BurnClose, "GET", "/llms.txt", nil).Status)
	assert.Len(t, s.TakeProblems(), 1, "a key where none is asked for")
}

func TestRoutes(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	n := 0
	for _, r := range s.Routes() {
		if r.Service == play.BurnClose {
			n++
		}
	}
	assert.Equal(t, 21, n)
}

func TestAttack(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	_, err := s.BurnClose.OpenEmptyAccounts(s.WalletAddress(), 1)
	require.NoError(t, err)
	s.Attack(func(string, []byte, [32]byte) []byte { return []byte("evil") })
	evil := base58.Encode([]byte("evil"))
	assert.Equal(t, evil, s.ok(t, "/burn", "assetId", s.Mint("DUST")).Text("serializedTransaction"))
	assert.Equal(t, evil, s.ok(t, "/close", "assetId", s.empty(t)).Text("serializedTransaction"))
	assert.Equal(t, evil, s.ok(t, "/batch/close-all").Text("transactions", 0))
}

// burnCloseEmpty opens an empty account.
func (s *started) empty(t *testing.T) string {
	t.Helper()
	addresses, err := s.BurnClose.OpenEmptyAccounts(s.WalletAddress(), 1)
	require.NoError(t, err)
	return addresses[0]
}

// burnCloseLand signs and executes a transaction that the service answered.
func (s *started) land(t *testing.T, text string) *ledger.Receipt {
	t.Helper()
	return s.SignAndSubmit(t, worldtest.Base64(t, text))
}
