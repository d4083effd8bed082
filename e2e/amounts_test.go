package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
)

var bareInteger = regexp.MustCompile(`^pkg (signing|wallet|rpcnode|walletfitest), (.*\buint64\b.*)$`)

// notAmounts are the integers that count something else than a token's smallest unit.
var notAmounts = regexp.MustCompile(`Slot|Height|Units|Version|Last|Price|Market|Claim|FinalTime|FinalBlock|LatestBlockhash` +
	`|BlockhashA|NonceAt|NonceUse|AccountsSince|AccountState\) TransferFee|FeeAsked|LimitsAsked|Store\(|\) History\(`)

// TestAmountsAreAmounts: what counts a token's smallest unit has a type that says so, in the packages that money
// goes through.
func TestAmountsAreAmounts(t *testing.T) {
	api, err := os.ReadFile("../api/walletfi-go.txt")
	require.NoError(t, err)
	gone, err := os.ReadFile("../api/except.txt")
	require.NoError(t, err)
	integers := 0
	for line := range strings.Lines(string(api)) {
		if m := bareInteger.FindStringSubmatch(strings.TrimSpace(line)); m != nil && !strings.Contains(string(gone), line) {
			integers++
			assert.Regexp(t, notAmounts, m[2])
		}
	}
	require.Greater(t, integers, 20)
	fmt.Printf("integers=%d amounts among them=0\n", integers)
}

// TestBareAmountsAreRead: what was written as a bare number before is read.
func TestBareAmountsAreRead(t *testing.T) {
	var state signing.AccountState
	require.NoError(t, json.Unmarshal([]byte(`{"Lamports":18446744073709551615}`), &state))
	require.EqualValues(t, uint64(1<<64-1), state.Lamports)
	var fee signing.TransferFee
	require.NoError(t, json.Unmarshal([]byte(`{"BasisPoints":5,"Most":7}`), &fee))
	require.EqualValues(t, 7, fee.Most)
	var policy walletfi.FeePolicy
	require.NoError(t, json.Unmarshal([]byte(`{"Floor":3,"MaxPerTransaction":5,"MaxPerKey":6}`), &policy))
	require.Equal(t, walletfi.FeePolicy{Floor: 3, MaxPerTransaction: 5, MaxPerKey: 6}, policy)
	var nonce rpcnode.DurableNonce
	require.NoError(t, json.Unmarshal([]byte(`{"LamportsPerSignature":5000}`), &nonce))
	require.EqualValues(t, 5000, nonce.LamportsPerSignature)
}
