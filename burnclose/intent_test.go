package burnclose_test

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/networkfee"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

func answering(t testing.TB, body string) *wiretest.Server {
	t.Helper()
	return wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) })
}

func sol(lamports walletfi.Amount) []walletfi.Asset {
	return []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: lamports}}
}

// TestPartnerFeeCap holds the cap between what the answer says and the
// constant, whichever is less.
func TestPartnerFeeCap(t *testing.T) {
	for name, row := range map[string]struct {
		bps    int
		answer string
		want   []walletfi.Asset
	}{
		"none":                      {0, `"reclaimedLamports":2039280`, nil},
		"half":                      {5000, `"reclaimedLamports":2039280`, sol(2039280)},
		"the most, of what is left": {9800, `"reclaimedLamports":40786`, sol(1998514)},
		"one point, rounded up":     {1, `"reclaimedLamports":1`, sol(1)},
		"the answer names nothing":  {9800, `"x":1`, sol(19_600_000)},
		"the answer names too much": {100, `"reclaimedLamports":18446744073709551615`, sol(200_000)},
		"the answer names 0":        {100, `"reclaimedLamports":0`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			terms := burnclose.Terms{PartnerFeeAccount: partner, PartnerFeeBps: new(row.bps)}
			c := client(t, answering(t, `{"serializedTransaction":"Ldp",`+row.answer+`}`).URL)
			burned, err := c.BuildBurn(t.Context(), burnclose.BurnRequest{Owner: owner, AssetID: asset, Terms: terms})
			require.NoError(t, err)
			require.Equal(t, row.want, burned.Unsigned().Intent.ServiceFee)
			var to []string
			if row.want != nil {
				to = []string{partner}
			}
			require.Equal(t, to, burned.Unsigned().Intent.FeeTo, "the fee's receiver by name")
			closed, err := c.BuildClose(t.Context(), burnclose.CloseRequest{Owner: owner, AssetID: asset, Terms: terms})
			require.NoError(t, err)
			require.Equal(t, row.want, closed.Unsigned().Intent.ServiceFee)
			require.Equal(t, to, closed.Unsigned().Intent.FeeTo)
		})
	}
}

func TestPartnerFeeCapOfMany(t *testing.T) {
	terms := burnclose.Terms{PartnerFeeAccount: partner, PartnerFeeBps: new(100)}
	for name, row := range map[string]struct {
		limit        *int
		transactions int
		want         []walletfi.Asset
	}{
		"as many as fit": {nil, 2, sol(2 * 64 * 200_000)},
		"the limit":      {new(5), 2, sol(5 * 200_000)},
		"nothing":        {new(5), 0, nil},
		"a limit of 0":   {new(0), 2, nil},
	} {
		t.Run(name, func(t *testing.T) {
			// The service's own count has no say.
			count := strconv.Itoa(64 * row.transactions)
			list := strings.Join([]string{`"Ldp"`, `"Ldq"`}[:row.transactions], ",")
			c := client(t, answering(t, `{"accountsClosed":`+count+`,"transactions":[`+list+`]}`).URL)
			built, err := c.BuildCloseAll(t.Context(), burnclose.CloseAllRequest{Owner: owner, Limit: row.limit, Terms: terms})
			require.NoError(t, err)
			require.Equal(t, row.want, built.Unsigned().Intent.ServiceFee)
			require.Equal(t, row.want != nil, len(built.Unsigned().Intent.FeeTo) == 1)
		})
	}
}

// TestCapsOfTooMany: without a limit, the rent and the partner's fee are those of the transactions
// that may be signed, however many an answer has.
func TestCapsOfTooMany(t *testing.T) {
	terms := burnclose.Terms{FeePayer: partner, PartnerFeeAccount: partner, PartnerFeeBps: new(100)}
	caps := func(transactions int) (rent, fee walletfi.Amount) {
		list := make([]string, transactions)
		for i := range list {
			list[i] = `"` + base58.Encode(bytes.Repeat([]byte{byte(i + 1)}, 70)) + `"`
		}
		body := `{"accountsClosed":` + strconv.Itoa(64*transactions) + `,"transactions":[` + strings.Join(list, ",") + `]}`
		built, err := client(t, answering(t, body).URL).BuildCloseAll(t.Context(), burnclose.CloseAllRequest{Owner: owner, Terms: terms})
		require.NoError(t, err)
		require.Len(t, built.Transactions, transactions)
		intent := built.Unsigned().Intent
		return *intent.MaxRentLamports, intent.ServiceFee[0].Amount
	}
	rent, fee := caps(16)
	require.Equal(t, walletfi.Amount(16*64*2_248_080), rent)
	require.Equal(t, walletfi.Amount(16*64*200_000), fee)
	more, higher := caps(17)
	require.Equal(t, []walletfi.Amount{rent, fee}, []walletfi.Amount{more, higher})
}

func TestPriorityFeeCap(t *testing.T) {
	c := client(t, answering(t, `{"serializedTransaction":"Ldp"}`).URL)
	for _, price := range []uint64{0, 50_000, 1<<64 - 1} {
		t.Run(strconv.FormatUint(price, 10), func(t *testing.T) {
			built, err := c.BuildClose(t.Context(), burnclose.CloseRequest{
				Owner: owner, AssetID: asset, Terms: burnclose.Terms{ComputeUnitPriceMicroLamports: &price},
			})
			require.NoError(t, err)
			require.Equal(t, new(networkfee.Cap(price)), built.Unsigned().Intent.MaxNetworkFeeLamports)
		})
	}
	built, err := c.BuildClose(t.Context(), burnclose.CloseRequest{Owner: owner, AssetID: asset})
	require.NoError(t, err)
	require.Nil(t, built.Unsigned().Intent.MaxNetworkFeeLamports)
}

// TestCloseAllTwice: a transaction that the list has twice closes nothing the second time.
func TestCloseAllTwice(t *testing.T) {
	for list, want := range map[string]error{`"Ldp","Ldq"`: nil, `"Ldp","Ldq","Ldp"`: walletfi.ErrDecode} {
		c := client(t, answering(t, `{"accountsClosed":2,"transactions":[`+list+`]}`).URL)
		_, err := c.BuildCloseAll(t.Context(), burnclose.CloseAllRequest{Owner: owner})
		require.ErrorIs(t, err, want, list)
	}
}
