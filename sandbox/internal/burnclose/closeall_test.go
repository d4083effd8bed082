package burnclose_test

import (
	"strconv"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

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
