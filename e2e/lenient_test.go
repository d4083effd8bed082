package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/swap"
)

// lenientAnswer is an answer of which one member is off.
type lenientAnswer struct {
	is           any
	member, body string // "KEY" in the body is an address; of a file of swap, it lacks the member
}

// lenientAnswers have each type that has a decoder of its own and a member that decides.
// Those with a member of another type, such as AccountMeta, are named by what is off in them.
var lenientAnswers = []lenientAnswer{
	{amm.AutoFee{}, "FeeLevels.vh", `{"default":{"vh":-1,"h":1,"m":1}}`},
	{burnclose.SendResult{}, "SendResult.sent", `{"signature":"S","sent":true,"sent":true}`},
	{burnclose.Transaction{}, "Transaction.lastValidBlockHeight", `{"serializedTransaction":"2wUG","lastValidBlockHeight":"soon"}`},
	{burnclose.CloseAllTransactions{}, "CloseAllTransactions.accountsClosed", `{"transactions":["2wUG"]}`},
	{burnclose.CloseAllTransactions{}, "CloseAllTransactions.lastValidBlockHeight", `{"transactions":[],"accountsClosed":0,"lastValidBlockHeight":-1}`},
	{burnclose.Instructions{}, "AccountMeta.isSigner",
		`{"instructions":[{"programId":"KEY","data":"","accounts":[{"pubkey":"KEY","isWritable":true}]}]}`},
	{burnclose.CloseAllInstructions{}, "AccountMeta.isWritable",
		`{"instructions":[{"account":"KEY","instructions":[{"programId":"KEY","data":"","accounts":[{"pubkey":"KEY","isSigner":true,"isWritable":"x"}]}]}]}`},
	{burnclose.CloseAllInstructions{}, "AccountMeta.pubkey",
		`[{"programId":"KEY","data":"","accounts":[{"pubkey":"!!","isSigner":true,"isWritable":true}]}]`},
	{lending.DepositTransaction{}, "DepositTransaction.blockhash", `{"transaction":"AQID","lastValidBlockHeight":1}`},
	{lending.DepositTransaction{}, "DepositTransaction.lastValidBlockHeight", `{"transaction":"AQID","blockhash":"KEY","lastValidBlockHeight":0}`},
	{lending.WithdrawTransaction{}, "WithdrawTransaction.lastValidBlockHeight", `{"transaction":"AQID"}`},
	{lending.ReferrerInitialization{}, "ReferrerInitialization.lastValidBlockHeight", `{"transaction":"AQID","lastValidBlockHeight":0}`},
	{lending.ReferrerClaim{}, "ReferrerClaim.claimAmount", `{"transaction":"AQID"}`},
	{leverage.Transaction{}, "Transaction.lastValidBlockHeight", `{"transaction":"2wUG"}`},
	{predictmeta.OutcomeMint{}, "OutcomeMint.outcome", `{"mint":"KEY","market_ticker":"T"}`},
	{providerswap.Transaction{}, "Transaction.destAmountOut", `{"txn":"AQID","srcAmountIn":1,"destAmountOutMin":1,"priceImpactPct":0}`},
	{swap.BuiltIntent{}, "BuiltIntent.lastValidBlockHeight",
		`{"inputMint":"a","outputMint":"b","inAmount":1,"guaranteedOutAmount":1,"estimatedOutAmount":1,"slippageBps":1,"transaction":"AQID"}`},
	{swap.Order{}, "Order.lastValidBlockHeight", "BuildOrder.json"},
	{swap.Transaction{}, "Transaction.computeUnitLimit",
		`{"swapTransaction":"AQID","lastValidBlockHeight":1,"prioritizationFeeLamports":0}`},
	{swap.Instructions{}, "Instructions.computeUnitLimit", `{"instructions":[],"addressLookupTableAddresses":[]}`},
	{swap.PredictionMarketInit{}, "PredictionMarketInit.marketInfo", `{"transaction":"AQID"}`},
	{swap.Quote{}, "Quote.contextSlot", "GetQuote.json"},
}

// noneLenient are the stored types without a member that could be let through, and why.
var noneLenient = map[string]string{
	"amm.Swap": "nothing but transactions", "leverage.PartialSell": "nothing but what is signed or acted on",
	"providerswap.QuoteV1": "no documented names", "providerswap.TransactionV1": "no documented names",
}

// neverLenient are answers in which a member is off that a caller signs or acts on.
var neverLenient = map[string]any{
	`[{"transaction":"AQID","transaction":"AQID"}]`:                                                                    new(amm.Transaction),
	`{"splitTransaction":"2wUG","splitTransaction":"2wUG","closeTransaction":"2wUH","newPositionAddresses":["a","b"]}`: new(leverage.PartialSell),
	`{"closeTransaction":"2wUG","newPositionAddresses":["a","b"]}`:                                                     new(leverage.PartialSell),
	`{"lastValidBlockHeight":1,"blockhash":"` + wiretest.Address(1) + `"}`:                                             new(lending.DepositTransaction),
	`{"accountsClosed":0,"transactions":[{"x":1}]}`:                                                                    new(burnclose.CloseAllTransactions),
	`{"serializedTransaction":"2wUG","reclaimedLamports":"all"}`:                                                       new(burnclose.Transaction),
	`{"sent":true}`: new(burnclose.SendResult),
}

// TestNeverLenient: what is signed or acted on must be there, whatever is let through.
func TestNeverLenient(t *testing.T) {
	for body, v := range neverLenient {
		err := wire.UnmarshalWaiving([]byte(body), v, func(wire.Breach) bool { return true })
		require.ErrorIs(t, err, walletfi.ErrDecode, body)
	}
}

// TestLenientAnswers: a member is named after the type that has it, and is let through by that
// name and by no other, in an answer and within one.
func TestLenientAnswers(t *testing.T) {
	rows, named := map[string]bool{}, 0
	for _, row := range lenientAnswers {
		is := reflect.TypeOf(row.is)
		body := strings.ReplaceAll(row.body, "KEY", wiretest.Address(1))
		if strings.HasSuffix(body, ".json") {
			text, err := os.ReadFile("../swap/testdata/" + body)
			require.NoError(t, err)
			_, name, _ := strings.Cut(row.member, ".")
			body = strings.Replace(string(text), `"`+name+`"`, `"other"`, 1)
		}
		err := json.Unmarshal([]byte(body), reflect.New(is).Interface())
		require.Error(t, err)
		if strings.Contains(err.Error(), " decides, and is ") { // else its path in the answer is named
			require.ErrorContains(t, err, row.member, is)
			named++
		}
		rows[is.String()] = true

		within := reflect.StructOf([]reflect.StructField{{Name: "Inner", Type: is}})
		for v, body := range map[any]string{reflect.New(is).Interface(): body, reflect.New(within).Interface(): `{"Inner":` + body + `}`} {
			read := func(waive func(wire.Breach) bool) error { return wire.UnmarshalWaiving([]byte(body), v, waive) }
			require.ErrorIs(t, read(nil), walletfi.ErrDecode, "%s", is)
			require.ErrorIs(t, read(func(b wire.Breach) bool { return b.Name() != row.member }), walletfi.ErrDecode, "%s", is)
			require.NoError(t, read(func(b wire.Breach) bool { return b.Name() == row.member }), "%s", is)
		}
	}
	files, err := filepath.Glob("../*/*.go")
	require.NoError(t, err)
	stored := regexp.MustCompile(`stored\.(?:Read\w+\(|Form\{Type: )"([\w.]+)"`)
	found := 0
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, match := range stored.FindAllStringSubmatch(string(source), -1) {
			found++
			require.NotEqual(t, noneLenient[match[1]] != "", rows[match[1]], "%s has no row", match[1])
		}
	}
	require.Equal(t, 21, found)
	require.Equal(t, 16, named)
}
