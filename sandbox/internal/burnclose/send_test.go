package burnclose_test

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// burnCloseSigned are n signed transactions, each of which closes an account.
func (s *started) signed(t *testing.T, n int) [][]byte {
	t.Helper()
	opened, err := s.BurnClose.OpenEmptyAccounts(s.WalletAddress(), n)
	require.NoError(t, err)
	var raw [][]byte
	for _, account := range opened {
		a := s.ok(t, "/close", "assetId", account)
		raw = append(raw, worldtest.Sign(t, worldtest.Base64(t, a.Text("serializedTransaction")), s.Wallet()))
	}
	return raw
}

func (s *started) send(t *testing.T, path string, body map[string]any) answer {
	t.Helper()
	return s.Do(t, play.BurnClose, "POST", path, body)
}

func TestSendTakesBothEncodingsAndNames(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	signed := s.signed(t, 4)
	for i, body := range []map[string]any{
		{"signedTransaction": base58.Encode(signed[0])},
		{"transaction": base58.Encode(signed[1]), "encoding": "base58", "maxRetries": 0},
		{"signedTransaction": base64.StdEncoding.EncodeToString(signed[2]), "encoding": "base64", "skipPreflight": false, "minContextSlot": 0},
		{"transaction": base64.StdEncoding.EncodeToString(signed[3]), "encoding": "base64", "skipPreflight": true, "preflightCommitment": "processed"},
	} {
		a := s.send(t, "/transactions/send", body)
		require.Equal(t, 200, a.Status, "%s", a.Raw)
		assert.Equal(t, true, a.At("sent"))
		assert.Nil(t, a.At("confirmation"))
		assert.Equal(t, base58.Encode(signed[i][1:65]), a.Text("signature"))
		assert.True(t, s.View().TransactionStatus(a.Text("signature")).Found)
	}
}

func TestSendRefusals(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	signed := s.signed(t, 1)[0]
	text := base58.Encode(signed)
	forged := append([]byte(nil), signed...)
	forged[10]++ // of the signature
	for name, test := range map[string]struct {
		body      map[string]any
		message   string
		violation bool
	}{
		"nothing":        {map[string]any{}, "exactly one of", true},
		"both":           {map[string]any{"signedTransaction": text, "transaction": text}, "exactly one of", true},
		"garbage":        {map[string]any{"signedTransaction": "not a transaction"}, "not base58", true},
		"base64":         {map[string]any{"signedTransaction": base64.StdEncoding.EncodeToString(signed)}, "not base58", true},
		"not base64":     {map[string]any{"signedTransaction": "%", "encoding": "base64"}, "not base64", true},
		"cut off":        {map[string]any{"signedTransaction": base58.Encode(signed[:100])}, "malformed", true},
		"too long":       {map[string]any{"signedTransaction": fmt.Sprintf("%06000d", 0)}, "too long", true},
		"forged":         {map[string]any{"signedTransaction": base58.Encode(forged)}, "is not valid", false},
		"early":          {map[string]any{"signedTransaction": text, "minContextSlot": uint64(1 << 63)}, "minimum context slot", false},
		"encoding":       {map[string]any{"signedTransaction": text, "encoding": "hex"}, "encoding is none of", true},
		"retries":        {map[string]any{"signedTransaction": text, "maxRetries": 101}, "maxRetries is out of range", true},
		"timeout":        {map[string]any{"signedTransaction": text, "confirmationTimeoutMs": 999}, "confirmationTimeoutMs is out of range", true},
		"long timeout":   {map[string]any{"signedTransaction": text, "confirmationTimeoutMs": 180001}, "confirmationTimeoutMs is out of range", true},
		"interval":       {map[string]any{"signedTransaction": text, "pollIntervalMs": 99}, "pollIntervalMs is out of range", true},
		"long interval":  {map[string]any{"signedTransaction": text, "pollIntervalMs": 5001}, "pollIntervalMs is out of range", true},
		"commitment":     {map[string]any{"signedTransaction": text, "confirmationCommitment": "max"}, "confirmationCommitment is none of", true},
		"preflight":      {map[string]any{"signedTransaction": text, "preflightCommitment": "recent"}, "preflightCommitment is none of", true},
		"of a batch":     {map[string]any{"signedTransaction": text, "maxConcurrency": 1}, "unknown field maxConcurrency", true},
		"negative slot":  {map[string]any{"signedTransaction": text, "minContextSlot": -1}, "minContextSlot is not", true},
		"wrong type":     {map[string]any{"signedTransaction": text, "skipPreflight": "no"}, "skipPreflight is not", true},
		"null for false": {map[string]any{"signedTransaction": text, "waitForConfirmation": nil}, "waitForConfirmation is null", true},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.send(t, "/transactions/send", test.body)
			assert.Equal(t, 400, a.Status)
			assert.Contains(t, string(a.Raw), test.message)
			assert.Equal(t, test.violation, len(s.TakeProblems()) > 0)
		})
	}
	assert.False(t, s.View().TransactionStatus(base58.Encode(signed[1:65])).Found)
}

func TestSendOnceAndTooLate(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	signed := s.signed(t, 2)
	body := map[string]any{"signedTransaction": base58.Encode(signed[0])}
	require.Equal(t, 200, s.send(t, "/transactions/send", body).Status)
	again := s.send(t, "/transactions/send", body)
	assert.Equal(t, 400, again.Status)
	assert.Contains(t, string(again.Raw), "already been processed")
	body["skipPreflight"] = true
	assert.Equal(t, 200, s.send(t, "/transactions/send", body).Status, "nobody looked")

	s.Advance(2 * time.Minute)
	late := map[string]any{"signedTransaction": base58.Encode(signed[1])}
	assert.Contains(t, string(s.send(t, "/transactions/send", late).Raw), "Blockhash not found")
	late["skipPreflight"] = true
	a := s.send(t, "/transactions/send", late)
	assert.Equal(t, true, a.At("sent"), "sent, and dropped")
	assert.False(t, s.View().TransactionStatus(a.Text("signature")).Found)
}

func TestConfirmation(t *testing.T) {
	for shape := 1; shape <= 2; shape++ {
		s := start(t, play.Config{Shape: shape, SlotTime: time.Millisecond})
		signed := s.signed(t, 1)[0]
		a := s.send(t, "/transactions/send", map[string]any{
			"signedTransaction": base58.Encode(signed), "waitForConfirmation": true, "confirmationCommitment": "finalized", "pollIntervalMs": 100,
		})
		require.Equal(t, 200, a.Status, "%s", a.Raw)
		if shape == 1 {
			assert.Equal(t, true, a.At("confirmation", "confirmed"))
			assert.Equal(t, false, a.At("confirmation", "timedOut"))
		} else {
			assert.Equal(t, "finalized", a.Text("confirmation", "confirmationStatus"))
			assert.Nil(t, a.At("confirmation", "err"))
		}
		slot := fmt.Sprint(s.View().TransactionStatus(a.Text("signature")).Slot)
		assert.Equal(t, slot, a.Text("confirmation", "slot"))
	}
}

// burnCloseWhileTimePasses sends a request that waits, and moves the clock
// until it is answered.
func (s *started) whileTimePasses(t *testing.T, path string, body map[string]any) answer {
	t.Helper()
	done := make(chan answer, 1)
	go func() {
		a, err := s.Try(t, s.URL(play.BurnClose), play.BurnClose, "POST", path, body)
		assert.NoError(t, err)
		done <- a
	}()
	for {
		select {
		case a := <-done:
			return a
		case <-time.After(5 * time.Millisecond):
			s.Advance(100 * time.Millisecond)
		}
	}
}

func TestConfirmationTimesOut(t *testing.T) {
	for shape := 1; shape <= 2; shape++ {
		s := start(t, play.Config{ManualClock: true, Shape: shape})
		signed := s.signed(t, 1)[0]
		a := s.whileTimePasses(t, "/transactions/send", map[string]any{
			"signedTransaction": base58.Encode(signed), "waitForConfirmation": true,
			"confirmationCommitment": "finalized", "confirmationTimeoutMs": 1000,
		})
		require.Equal(t, 200, a.Status)
		assert.Equal(t, true, a.At("sent"))
		if shape == 1 {
			assert.Equal(t, false, a.At("confirmation", "confirmed"))
			assert.Equal(t, true, a.At("confirmation", "timedOut"))
		} else {
			assert.Equal(t, "confirmed", a.Text("confirmation", "confirmationStatus"))
		}
	}
}

func TestConfirmationOfAFailure(t *testing.T) {
	for shape := 1; shape <= 2; shape++ {
		s := start(t, play.Config{ManualClock: true, InstantConfirmation: true, Shape: shape})
		a := s.ok(t, "/burn", "assetId", s.Mint("DUST"))
		signed := base58.Encode(worldtest.Sign(t, worldtest.Base64(t, a.Text("serializedTransaction")), s.Wallet()))
		other := s.ok(t, "/burn", "assetId", s.Mint("DUST"), "burnAmount", "1")
		require.Nil(t, s.land(t, other.Text("serializedTransaction")).Err)
		body := map[string]any{"signedTransaction": signed, "waitForConfirmation": true}
		refused := s.send(t, "/transactions/send", body)
		assert.Equal(t, 400, refused.Status)
		assert.Contains(t, string(refused.Raw), "simulation failed")

		body["skipPreflight"] = true
		landed := s.send(t, "/transactions/send", body)
		require.Equal(t, 200, landed.Status, "%s", landed.Raw)
		assert.NotNil(t, landed.At("confirmation", "err", "InstructionError"))
		if shape == 1 {
			assert.Equal(t, false, landed.At("confirmation", "confirmed"))
		}
		status := s.send(t, "/transactions/status", map[string]any{"signature": landed.Text("signature")})
		assert.Equal(t, true, status.At("found"))
		if shape == 1 {
			assert.NotNil(t, status.At("status", "err"))
		} else {
			assert.NotNil(t, status.At("err"))
		}
	}
}

func TestStatus(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	signed := s.signed(t, 1)[0]
	signature := base58.Encode(signed[1:65])
	ask := func(more ...any) answer {
		body := map[string]any{"signature": signature}
		for i := 0; i < len(more); i += 2 {
			body[more[i].(string)] = more[i+1]
		}
		return s.send(t, "/transactions/status", body)
	}
	for range 2 {
		unknown := ask()
		assert.Equal(t, false, unknown.At("found"))
		assert.Nil(t, unknown.At("status"))
	}
	require.Equal(t, 200, s.send(t, "/transactions/send", map[string]any{"signedTransaction": base58.Encode(signed)}).Status)
	assert.Equal(t, "processed", ask().Text("status", "confirmationStatus"))
	assert.Equal(t, "processed", ask().Text("status"))
	s.Advance(time.Second)
	assert.Equal(t, "confirmed", ask().Text("status", "confirmationStatus"))
	assert.Equal(t, "confirmed", ask().Text("confirmationStatus"))
	s.Advance(2 * time.Minute)
	assert.Equal(t, "finalized", ask("searchTransactionHistory", true).Text("status", "confirmationStatus"))
	assert.Equal(t, false, ask("searchTransactionHistory", false).At("found"), "too long ago without the history")
	assert.Equal(t, 400, s.send(t, "/transactions/status", map[string]any{"signature": "short"}).Status)
	assert.Equal(t, []string{"field signature is not the base58 of 64 bytes"}, s.TakeProblems())
	assert.Equal(t, 400, s.send(t, "/transactions/status", map[string]any{}).Status)
	assert.Equal(t, []string{"field signature is missing"}, s.TakeProblems())
}

func TestSendBatch(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	var texts []string
	for _, raw := range s.signed(t, 3) {
		texts = append(texts, base58.Encode(raw))
	}
	texts = append(texts, texts[0])
	a := s.send(t, "/transactions/send-batch", map[string]any{"signedTransactions": texts[:2], "maxConcurrency": 32})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	assert.Equal(t, "2", a.Text("sent"))
	assert.Equal(t, "1", a.Text("results", 1, "index"))
	assert.True(t, s.View().TransactionStatus(a.Text("results", 1, "signature")).Found)

	listed := s.whileTimePasses(t, "/transactions/send-batch", map[string]any{"transactions": texts[2:], "waitForConfirmation": true})
	require.Equal(t, 200, listed.Status, "%s", listed.Raw)
	assert.Equal(t, true, listed.At(0, "sent"))
	assert.Equal(t, "confirmed", listed.Text(0, "confirmation", "confirmationStatus"))
	assert.Equal(t, false, listed.At(1, "sent"))
	assert.Contains(t, listed.Text(1, "error"), "already been processed")
}

func TestSendBatchRefusals(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	signed := s.signed(t, 1)[0]
	text := base58.Encode(signed)
	many := make([]string, 129)
	for i := range many {
		many[i] = text
	}
	for name, test := range map[string]struct {
		body      map[string]any
		message   string
		violation bool
	}{
		"none":        {map[string]any{"signedTransactions": []string{}}, "one or more", true},
		"absent":      {map[string]any{}, "one or more", true},
		"too many":    {map[string]any{"signedTransactions": many}, "more than 128", true},
		"both":        {map[string]any{"signedTransactions": many[:1], "transactions": many[:1]}, "exactly one of", true},
		"one is bad":  {map[string]any{"signedTransactions": []string{text, "bad!"}}, "transaction 1", true},
		"concurrency": {map[string]any{"signedTransactions": many[:1], "maxConcurrency": 33}, "maxConcurrency is out of range", true},
		"no one":      {map[string]any{"signedTransactions": many[:1], "maxConcurrency": 0}, "maxConcurrency is out of range", true},
		"of a send":   {map[string]any{"signedTransaction": text}, "unknown field signedTransaction", true},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.send(t, "/transactions/send-batch", test.body)
			assert.Equal(t, 400, a.Status)
			assert.Contains(t, string(a.Raw), test.message)
			assert.Equal(t, test.violation, len(s.TakeProblems()) > 0)
		})
	}
	assert.False(t, s.View().TransactionStatus(base58.Encode(signed[1:65])).Found, "nothing was sent")
	full := s.send(t, "/transactions/send-batch", map[string]any{"signedTransactions": many[:128]})
	assert.Equal(t, "1", full.Text("sent"))
	assert.Equal(t, "127", full.Text("failed"), "a transaction lands once")
}

func TestAllShiftsAsAccountsClose(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	owner := s.WalletAddress()
	opened, err := s.BurnClose.OpenEmptyAccounts(owner, 20)
	require.NoError(t, err)
	require.Len(t, opened, 20)
	before := s.View().Balance(owner)

	all := s.ok(t, "/batch/close-all")
	assert.Equal(t, "20", all.Text("accountsClosed"))
	assert.Equal(t, strconv.Itoa(20*deposit), all.Text("totalLamportsReclaimed"))
	require.Len(t, all.At("transactions"), 3, "8, 8 and 4 accounts")

	window := s.ok(t, "/batch/close-all", "offset", 15, "limit", 10)
	assert.Equal(t, "5", window.Text("accountsClosed"))
	assert.Equal(t, "0", s.ok(t, "/batch/close-all", "limit", 0).Text("accountsClosed"))

	first := s.ok(t, "/batch/close-all/preview", "limit", 8).At("accounts")
	require.Nil(t, s.land(t, all.Text("transactions", 0)).Err)
	assert.Equal(t, "12", s.ok(t, "/batch/close-all/summary").Text("accountCount"))
	assert.NotEqual(t, first, s.ok(t, "/batch/close-all/preview", "limit", 8).At("accounts"), "those behind moved up")
	assert.Equal(t, "2", s.ok(t, "/batch/close-all", "offset", 10).Text("accountsClosed"))

	require.Nil(t, s.land(t, all.Text("transactions", 2)).Err)
	require.Nil(t, s.land(t, all.Text("transactions", 1)).Err)
	assert.Equal(t, before+20*deposit-3*5000, s.View().Balance(owner))
	none := s.ok(t, "/batch/close-all")
	assert.Equal(t, []any{}, none.At("transactions"))
	assert.Equal(t, "0", none.Text("accountsClosed"))
}

func TestBatchPreviewAgreesWithWhatHappens(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 2})
	owner, partner := s.WalletAddress(), solana.PublicKey{7}.String()
	require.NoError(t, s.FundWallet(partner, build.LamportsPerSOL))
	_, err := s.BurnClose.OpenEmptyAccounts(owner, 9)
	require.NoError(t, err)
	more := []any{"partnerFeeAccount", partner, "partnerFeeBps", 333, "priorityFeeMicroLamports", 1}

	preview := s.ok(t, "/batch/close-all/preview", more...)
	assert.Equal(t, "9", preview.Text("count"))
	assert.Equal(t, "2", preview.Text("transactionCount"))
	assert.Equal(t, false, preview.At("hasMore"))
	assert.Equal(t, true, s.ok(t, "/batch/close-all/preview", "limit", 8).At("hasMore"))
	assert.Len(t, preview.At("accounts"), 9)
	summary := s.ok(t, "/batch/close-all/summary", more...)
	assert.Equal(t, preview.Text("totalReclaimedLamports"), summary.Text("summary", "totalReclaimedLamports"))
	assert.Equal(t, "9", summary.Text("count"))

	before := s.View().Balance(owner)
	a := s.ok(t, "/batch/close-all", append(more, "asLegacyTransaction", true)...)
	assert.Equal(t, preview.Text("totalReclaimedLamports"), a.Text("totalReclaimedLamports"))
	for i := range 2 {
		require.Nil(t, s.land(t, a.Text("transactions", i)).Err)
	}
	number := func(path ...any) uint64 {
		n, err := strconv.ParseUint(preview.Text(path...), 10, 64)
		require.NoError(t, err)
		return n
	}
	fees := [3]uint64{number("feeBreakdown", 0, "lamports"), number("feeBreakdown", 1, "lamports"), number("feeBreakdown", 2, "lamports")}
	assert.Equal(t, [3]uint64{10_000, 2, 9 * (deposit * 333 / 10_000)}, fees)
	assert.Equal(t, before+number("totalReclaimedLamports")-fees[0]-fees[1]-fees[2], s.View().Balance(owner))
	assert.Equal(t, build.LamportsPerSOL+fees[2], s.View().Balance(partner))
}

func TestAllSparesWhatIsNotTheirs(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	require.NoError(t, s.FundToken(s.WalletAddress(), s.Mint("SOL"), 5))
	_, err := s.BurnClose.OpenEmptyAccounts(solana.PublicKey{8}.String(), 3)
	require.NoError(t, err)
	assert.Equal(t, "0", s.ok(t, "/batch/close-all").Text("accountsClosed"), "balances stay, others' accounts too")
	_, err = s.BurnClose.OpenEmptyAccounts("nobody", 1)
	assert.EqualError(t, err, `sandbox: "nobody" is no address`)
}

func TestAllInstructions(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	opened, err := s.BurnClose.OpenEmptyAccounts(s.WalletAddress(), 2)
	require.NoError(t, err)
	named := s.ok(t, "/batch/close-all-instructions", "referralCode", "abc")
	require.Len(t, named.At("instructions"), 2)
	assert.Contains(t, opened, named.Text("instructions", 0, "account"))
	assert.Equal(t, named.Text("instructions", 0, "account"), named.Text("instructions", 0, "instructions", 0, "accounts", 0, "pubkey"))
	assert.Equal(t, solana.MemoProgramID.String(), named.Text("instructions", 1, "instructions", 1, "programId"))
	assert.Equal(t, strconv.Itoa(2*deposit), named.Text("totalLamportsReclaimed"))
	bare := s.ok(t, "/batch/close-all-instructions")
	assert.NotEmpty(t, bare.Text("instructions", 1, 0))
	assert.Equal(t, "2", bare.Text("accountsClosed"))
}
