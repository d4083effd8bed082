package e2e

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
	"github.com/walletfi/walletfi-go/webhooks"
)

// storable are the types outside the services' answers that survive JSON with any
// value.
var storable = []any{
	new(walletfi.Asset), new(walletfi.Change), new(walletfi.Decimal), new(walletfi.Effects), new(walletfi.FeePolicy), new(walletfi.Intent),
	new(walletfi.LamportChange), new(walletfi.RawResponse), new(walletfi.RetryPolicy), new(walletfi.SignatureStatus),
	new(walletfi.Signed), new(walletfi.Slippage), new(walletfi.Time), new(walletfi.TokenChange), new(walletfi.Unsigned),
	new(walletfi.ValidationError), new(walletfi.MismatchError),
	new(walletfi.Absence), new(walletfi.AbsenceQuery), new(walletfi.Evidence), new(walletfi.Head), new(walletfi.MessageSearch), new(walletfi.NodeEvidence),
	new(walletfi.Null), new(walletfi.Vouched), new(walletfi.Witness), new(walletfi.BlockhashState), new(walletfi.FoundMessage),
	new(walletfi.NonceState), new(walletfi.NonceUse), new(walletfi.RecentFees), new(walletfi.SignatureStatuses),
	new(signing.AccountState), new(signing.Blind), new(signing.GuardError), new(signing.Holding), new(signing.InnerInstruction), new(signing.Instruction),
	new(signing.LearnedCall), new(signing.LearnedProgram), new(signing.LearnedRole), new(signing.Lookup), new(signing.Movement), new(signing.Nonce), new(signing.Note),
	new(signing.OwnAccount), new(signing.Pin), new(signing.Policy), new(signing.Proposal), new(signing.Reach), new(signing.Report), new(signing.ReportToken),
	new(signing.SetRefusal), new(signing.SetRequest), new(signing.Simulation), new(signing.SimulationRequest), new(signing.Step), new(signing.TokenInfo), new(signing.TransactionReport),
	new(signing.TransferFee), new(signing.TokenState), new(signing.LookupTable), new(signing.SetSignatures),
	new(walletfi.OrderEnd), new(walletfi.OrderFill), new(wallet.FillStep), new(wallet.LandingFee), new(wallet.Shortfall), new(wallet.Placed), new(wallet.PlaceProgress), new(wallet.StageError),
	new(wallet.Entry), new(wallet.EntrySet), new(wallet.EntryStep), new(wallet.Outcome), new(wallet.Query), new(wallet.Result),
	new(wallet.Ledger), new(wallet.Reset), new(wallet.Resolution),
	new(wallet.Spend), new(wallet.Debit), new(wallet.Taken), new(wallet.Landed), new(wallet.SpendLimit), new(wallet.SpendLimitError),
	new(wallet.Change), new(wallet.EntryPrepared), new(wallet.Prepared), new(walletfi.Mint),
	new(wallet.Step), new(wallet.StepError), new(wallet.Unsettled), new(wallet.UnsettledError),
	new(webhooks.ContractEvents), new(webhooks.CreateWebhookRequest), new(webhooks.DeadDelivery), new(webhooks.EVMLog),
	new(webhooks.EVMPayload), new(webhooks.EVMTransaction), new(webhooks.LedgerContent), new(webhooks.LedgerInstruction),
	new(webhooks.LedgerMessage), new(webhooks.LedgerMeta), new(webhooks.LedgerPayload), new(webhooks.LedgerTransaction),
	new(webhooks.StoredDelivery), new(webhooks.UpdateWebhookRequest), new(webhooks.WalletFilter),
	new(rpcnode.Ability), new(rpcnode.DurableNonce), new(rpcnode.Gap),
}

// refusing are those that do not marshal: they hold secrets or functions, or cannot
// be restored.
var refusing = []any{
	new(walletfi.Options), new(walletfi.Secret), new(walletfi.Token), new(signing.LocalKey), new(wallet.ExecuteOptions), new(wallet.PlaceOptions),
	new(wallet.PrepareOptions), new(wallet.SubmitOptions), new(signing.Option),
	new(webhooks.Config), new(webhooks.Delivery), new(webhooks.DeliverySigner), new(webhooks.InboxWork), new(webhooks.MemorySeen),
	new(webhooks.ReceiverConfig), new(webhooks.Verifier), new(rpcnode.Config), new(rpcnode.WatcherConfig),
}

// notStored are the others, and why.
var notStored = map[string]string{
	"walletfi.MemoryTokenStore": live, "walletfi.NamedMints": settings, "signing.Guard": live, "wallet.Wallet": live, "wallet.FileJournal": live, "wallet.MemoryJournal": live, "wallet.BuiltOrder": live,
	"webhooks.Client": live, "webhooks.DeliveryReader": live, "webhooks.MemoryInbox": live, "webhooks.Receiver": live,
	"rpcnode.Client": live, "rpcnode.Pool": live, "rpcnode.Watcher": live,
	"signing.Config": settings, "wallet.Config": settings, "rpcnode.PoolConfig": settings,
	"wallet.JournalCheck": ofAFile, "wallet.JournalDamage": ofAFile, "wallet.JournalReader": live,
	"walletfi.OutcomeUnknownError": anError, "walletfi.PartialError": anError, "walletfi.RecordError": anError,
	"walletfi.ResponseError": anError, "walletfi.TransportError": anError, "walletfi.UnreadError": anError, "rpcnode.Error": anError,
	"signing.IDLs": "LoadIDLs reads it from its files", "signing.Transaction": "its bytes are stored: signing.Decode reads what Base64 wrote",
	"webhooks.WebhookPage": answered, "webhooks.Webhook": answered,
}

const (
	live     = "it works, and holds what belongs to the process"
	ofAFile  = "it says what is in a file on this machine"
	settings = "it has interfaces and functions of the program's"
	anError  = "a wallet.Step and a wallet.Result store errors; a logger writes their text, which a refusal would keep it from"
	answered = "TestAnswersSurviveJSON stores it as the service sends it"
)

// TestEachTypeIsStoredOrRefuses: each struct that the packages besides the services
// export survives JSON, or refuses, or is listed with a reason.
func TestEachTypeIsStoredOrRefuses(t *testing.T) {
	known := map[string]bool{}
	random := rand.New(rand.NewPCG(5, 6))
	for _, v := range storable {
		name := reflect.TypeOf(v).Elem().String()
		known[name] = true
		require.NoError(t, survives(v), "%s without values", name)
		for range 5 {
			wiretest.Fill(random, v)
			require.NoError(t, survives(v), name)
		}
	}
	for _, v := range refusing {
		name := reflect.TypeOf(v).Elem().String()
		require.False(t, known[name], name)
		known[name] = true
		wiretest.Fill(random, v)
		require.Error(t, wiretest.Error(json.Marshal(v)), name)
	}
	exported := exportedStructs(t, "..", "../signing", "../wallet", "../webhooks", "../rpcnode")
	require.Greater(t, len(exported), 90)
	for _, name := range exported {
		require.True(t, known[name] != (notStored[name] != ""), "%s: is it stored, does it refuse, or why neither?", name)
		delete(known, name)
	}
	for name := range notStored {
		require.Contains(t, exported, name)
	}
}

// exportedStructs returns the names of the structs that packages export.
func exportedStructs(t *testing.T, folders ...string) (names []string) {
	t.Helper()
	for _, folder := range folders {
		files, err := filepath.Glob(folder + "/*.go")
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			require.NoError(t, err)
			ast.Inspect(parsed, func(n ast.Node) bool {
				spec, ok := n.(*ast.TypeSpec)
				if ok && spec.Name.IsExported() {
					if _, ok := spec.Type.(*ast.StructType); ok {
						names = append(names, parsed.Name.Name+"."+spec.Name.Name)
					}
				}
				return true
			})
		}
	}
	return names
}
