package sandbox

import (
	"strconv"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBurnCloseAllShiftsAsAccountsClose(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	owner := s.WalletAddress()
	opened, err := s.OpenEmptyAccounts(owner, 20)
	require.NoError(t, err)
	require.Len(t, opened, 20)
	before := s.Ledger().Balance(owner)

	all := s.burnCloseOK(t, "/batch/close-all")
	assert.Equal(t, "20", all.text("accountsClosed"))
	assert.Equal(t, strconv.Itoa(20*burnCloseDeposit), all.text("totalLamportsReclaimed"))
	require.Len(t, all.at("transactions"), 3, "8, 8 and 4 accounts")

	window := s.burnCloseOK(t, "/batch/close-all", "offset", 15, "limit", 10)
	assert.Equal(t, "5", window.text("accountsClosed"))
	assert.Equal(t, "0", s.burnCloseOK(t, "/batch/close-all", "limit", 0).text("accountsClosed"))

	first := s.burnCloseOK(t, "/batch/close-all/preview", "limit", 8).at("accounts")
	require.Nil(t, s.burnCloseLand(t, all.text("transactions", 0)).Err)
	assert.Equal(t, "12", s.burnCloseOK(t, "/batch/close-all/summary").text("accountCount"))
	assert.NotEqual(t, first, s.burnCloseOK(t, "/batch/close-all/preview", "limit", 8).at("accounts"), "those behind moved up")
	assert.Equal(t, "2", s.burnCloseOK(t, "/batch/close-all", "offset", 10).text("accountsClosed"))

	require.Nil(t, s.burnCloseLand(t, all.text("transactions", 2)).Err)
	require.Nil(t, s.burnCloseLand(t, all.text("transactions", 1)).Err)
	assert.Equal(t, before+20*burnCloseDeposit-3*5000, s.Ledger().Balance(owner))
	none := s.burnCloseOK(t, "/batch/close-all")
	assert.Equal(t, []any{}, none.at("transactions"))
	assert.Equal(t, "0", none.text("accountsClosed"))
}

func TestBurnCloseBatchPreviewAgreesWithWhatHappens(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 2})
	owner, partner := s.WalletAddress(), solana.PublicKey{7}.String()
	require.NoError(t, s.FundWallet(partner, lamportsPerSOL))
	_, err := s.OpenEmptyAccounts(owner, 9)
	require.NoError(t, err)
	more := []any{"partnerFeeAccount", partner, "partnerFeeBps", 333, "priorityFeeMicroLamports", 1}

	preview := s.burnCloseOK(t, "/batch/close-all/preview", more...)
	assert.Equal(t, "9", preview.text("count"))
	assert.Equal(t, "2", preview.text("transactionCount"))
	assert.Equal(t, false, preview.at("hasMore"))
	assert.Equal(t, true, s.burnCloseOK(t, "/batch/close-all/preview", "limit", 8).at("hasMore"))
	assert.Len(t, preview.at("accounts"), 9)
	summary := s.burnCloseOK(t, "/batch/close-all/summary", more...)
	assert.Equal(t, preview.text("totalReclaimedLamports"), summary.text("summary", "totalReclaimedLamports"))
	assert.Equal(t, "9", summary.text("count"))

	before := s.Ledger().Balance(owner)
	a := s.burnCloseOK(t, "/batch/close-all", append(more, "asLegacyTransaction", true)...)
	assert.Equal(t, preview.text("totalReclaimedLamports"), a.text("totalReclaimedLamports"))
	for i := range 2 {
		require.Nil(t, s.burnCloseLand(t, a.text("transactions", i)).Err)
	}
	number := func(path ...any) uint64 {
		n, err := strconv.ParseUint(preview.text(path...), 10, 64)
		require.NoError(t, err)
		return n
	}
	fees := [3]uint64{number("feeBreakdown", 0, "lamports"), number("feeBreakdown", 1, "lamports"), number("feeBreakdown", 2, "lamports")}
	assert.Equal(t, [3]uint64{10_000, 2, 9 * (burnCloseDeposit * 333 / 10_000)}, fees)
	assert.Equal(t, before+number("totalReclaimedLamports")-fees[0]-fees[1]-fees[2], s.Ledger().Balance(owner))
	assert.Equal(t, lamportsPerSOL+fees[2], s.Ledger().Balance(partner))
}

func TestBurnCloseAllSparesWhatIsNotTheirs(t *testing.T) {
	s := start(t, Config{ManualClock: true, Shape: 1})
	require.NoError(t, s.FundToken(s.WalletAddress(), s.Mint("SOL"), 5))
	_, err := s.OpenEmptyAccounts(solana.PublicKey{8}.String(), 3)
	require.NoError(t, err)
	assert.Equal(t, "0", s.burnCloseOK(t, "/batch/close-all").text("accountsClosed"), "balances stay, others' accounts too")
	_, err = s.OpenEmptyAccounts("nobody", 1)
	assert.EqualError(t, err, `sandbox: "nobody" is no address`)
}

func TestBurnCloseAllInstructions(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	opened, err := s.OpenEmptyAccounts(s.WalletAddress(), 2)
	require.NoError(t, err)
	named := s.burnCloseOK(t, "/batch/close-all-instructions", "referralCode", "abc")
	require.Len(t, named.at("instructions"), 2)
	assert.Contains(t, opened, named.text("instructions", 0, "account"))
	assert.Equal(t, named.text("instructions", 0, "account"), named.text("instructions", 0, "instructions", 0, "accounts", 0, "pubkey"))
	assert.Equal(t, solana.MemoProgramID.String(), named.text("instructions", 1, "instructions", 1, "programId"))
	assert.Equal(t, strconv.Itoa(2*burnCloseDeposit), named.text("totalLamportsReclaimed"))
	bare := s.burnCloseOK(t, "/batch/close-all-instructions")
	assert.NotEmpty(t, bare.text("instructions", 1, 0))
	assert.Equal(t, "2", bare.text("accountsClosed"))
}
