package burnclose_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

var withKey = map[string]string{"x-api-key": "k-123456", "Authorization": ""}

// fullTerms are terms with every field but the referral code, and the JSON that
// they become.
func fullTerms() (burnclose.Terms, string) {
	return burnclose.Terms{
			FeePayer: sponsor, AsLegacyTransaction: new(false), ComputeUnitPriceMicroLamports: new(uint64(0)),
			PartnerFeeAccount: partner, PartnerFeeBps: new(0),
		}, `"feePayer":"` + sponsor + `","asLegacyTransaction":false,"priorityFeeMicroLamports":0,
			"partnerFeeAccount":"` + partner + `","partnerFeeBps":0`
}

func TestWireBurn(t *testing.T) {
	terms, termsJSON := fullTerms()
	full := burnclose.BurnRequest{Owner: owner, AssetID: asset, BurnAmount: new(maxAmount), AutoCloseTokenAccounts: new(false), Terms: terms}
	fullJSON := `{"userPublicKey":"` + owner + `","assetId":"` + asset + `","burnAmount":"18446744073709551615","autoCloseTokenAccounts":false,` + termsJSON + `}`
	wiretest.Run(t, []wiretest.Case{{
		Call:   wiretest.By(client, (*burnclose.Client).BuildBurn, full),
		Method: "POST", Target: "/burn", Header: withKey, Body: fullJSON, File: "BuildBurn.json",
		Then: func(t *testing.T, result any) {
			tx := result.(*burnclose.Transaction)
			require.Equal(t, burnclose.Reclaimed{Lamports: new(walletfi.Amount(2039280)), SOL: wiretest.Decimal(t, "0.00203928")}, tx.Reclaimed)
			require.Equal(t, "burn-and-close", tx.Operation)
			require.JSONEq(t, wiretest.File(t, "BuildBurn.json"), tx.Raw.String())
			wiretest.Built(t, walletfi.Unsigned{
				Transactions: []walletfi.EncodedTransaction{walletfi.Base58Transaction("Ldp")},
				Intent: walletfi.Intent{
					Service: "burnclose", Owner: owner, Sponsor: sponsor,
					Burn:                  []walletfi.Asset{{Mint: asset, Amount: maxAmount}},
					MaxNetworkFeeLamports: new(walletfi.Amount(20_000)),
				},
				LastValidBlockHeight: 1<<64 - 1, Blockhash: "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM",
			}, tx.Unsigned())
		},
	}, {
		Name: "BuildBurn, least",
		Call: wiretest.By(client, (*burnclose.Client).BuildBurn,
			burnclose.BurnRequest{Owner: owner, AssetID: asset, Terms: burnclose.Terms{ReferralCode: "a1"}}),
		Method: "POST", Target: "/burn", Header: withKey,
		Body:  `{"userPublicKey":"` + owner + `","assetId":"` + asset + `","referralCode":"a1"}`,
		Reply: `{"serializedTransaction":"Ldp"}`,
		Then: func(t *testing.T, result any) {
			tx := result.(*burnclose.Transaction)
			require.Nil(t, tx.Lamports)
			require.True(t, tx.SOL.IsZero())
			wiretest.Intent(t, walletfi.Intent{
				Service: "burnclose", Owner: owner, BurnAll: []string{asset}, CloseAccounts: []string{asset},
			}, tx.Unsigned().Intent)
		},
	}, {
		Name:   "BuildBurn without a transaction",
		Call:   wiretest.By(client, (*burnclose.Client).BuildBurn, full),
		Method: "POST", Target: "/burn", Header: withKey, Body: fullJSON, Reply: `{"serializedTransaction":"","operationType":"burn"}`,
		Err: func(t *testing.T, err error) {
			require.ErrorIs(t, err, walletfi.ErrDecode)
			require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		},
	}, {
		Call:   wiretest.By(client, (*burnclose.Client).PreviewBurn, full),
		Method: "POST", Target: "/burn/preview", Header: withKey, Body: fullJSON, File: "PreviewBurn.json",
		Want: &burnclose.Preview{
			Reclaimed: burnclose.Reclaimed{Lamports: new(walletfi.Amount(0)), SOL: wiretest.Decimal(t, "0")}, Operation: "burn",
			Raw: walletfi.Document(wiretest.File(t, "PreviewBurn.json")[:len(wiretest.File(t, "PreviewBurn.json"))-1]),
		},
	}, {
		Call:   wiretest.By(client, (*burnclose.Client).BuildBurnInstructions, full),
		Method: "POST", Target: "/burn-instructions", Header: withKey, Body: fullJSON, File: "BuildBurnInstructions.json",
		Then: func(t *testing.T, result any) {
			i := result.(*burnclose.Instructions)
			require.Len(t, i.Instructions, 2)
			require.Equal(t, "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", i.Instructions[0].ProgramID)
			require.Equal(t, "CAEAAAAAAAAA", i.Instructions[0].Data)
			require.Equal(t, []burnclose.AccountMeta{{wiretest.Address(1), false, true}, {wiretest.Address(2), true, false}}, i.Instructions[0].Accounts)
			require.Equal(t, burnclose.Instruction{Raw: walletfi.Document(`"4HUtbHhN2TkpR4HUtbHhN2TkpR4HUtbHhN2TkpR4HUtbHhN2TkpR"`)}, i.Instructions[1])
			require.Equal(t, new(walletfi.Amount(5)), i.Lamports)
			require.Equal(t, []walletfi.Asset{{Mint: asset, Amount: maxAmount}}, i.Intent.Burn)
			require.JSONEq(t, wiretest.File(t, "BuildBurnInstructions.json"), i.Raw.String())
		},
	}, {
		Name:   "BuildBurnInstructions without any",
		Call:   wiretest.By(client, (*burnclose.Client).BuildBurnInstructions, full),
		Method: "POST", Target: "/burn-instructions", Header: withKey, Body: fullJSON, Reply: `{"instructions":[]}`,
		Err: func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrDecode) },
	}, {
		Name:   "BuildBurnInstructions without a list",
		Call:   wiretest.By(client, (*burnclose.Client).BuildBurnInstructions, full),
		Method: "POST", Target: "/burn-instructions", Header: withKey, Body: fullJSON, Reply: `{"instructions":null}`,
		Err: func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrDecode) },
	}})
}

func TestWireClose(t *testing.T) {
	terms, termsJSON := fullTerms()
	terms.FeePayer = owner
	full := burnclose.CloseRequest{Owner: owner, AssetID: asset, Terms: terms}
	fullJSON := `{"userPublicKey":"` + owner + `","assetId":"` + asset + `",` + termsJSON[len(`"feePayer":"`+sponsor+`",`):] + `,"feePayer":"` + owner + `"}`
	wiretest.Run(t, []wiretest.Case{{
		Call:   wiretest.By(client, (*burnclose.Client).BuildClose, full),
		Method: "POST", Target: "/close", Header: withKey, Body: fullJSON, File: "BuildClose.json",
		Then: func(t *testing.T, result any) {
			tx := result.(*burnclose.Transaction)
			require.Equal(t, burnclose.Reclaimed{Lamports: new(maxAmount), SOL: wiretest.Decimal(t, "18446744073.709551615")}, tx.Reclaimed)
			require.Equal(t, "a-new-type", tx.Operation)
			wiretest.Built(t, walletfi.Unsigned{
				Transactions: []walletfi.EncodedTransaction{walletfi.Base58Transaction("Ldp")},
				Intent: walletfi.Intent{
					Service: "burnclose", Owner: owner, CloseAccounts: []string{asset},
					MaxNetworkFeeLamports: new(walletfi.Amount(20_000)),
				},
			}, tx.Unsigned(), "an owner who pays is no sponsor")
		},
	}, {
		Call:   wiretest.By(client, (*burnclose.Client).PreviewClose, full),
		Method: "POST", Target: "/close/preview", Header: withKey, Body: fullJSON, File: "PreviewClose.json",
		Then: func(t *testing.T, result any) {
			p := result.(*burnclose.Preview)
			require.Equal(t, new(walletfi.Amount(7)), p.Lamports)
			require.Equal(t, "close", p.Operation)
			require.JSONEq(t, wiretest.File(t, "PreviewClose.json"), p.Raw.String())
		},
	}, {
		Call:   wiretest.By(client, (*burnclose.Client).BuildCloseInstructions, full),
		Method: "POST", Target: "/close-instructions", Header: withKey, Body: fullJSON, File: "BuildCloseInstructions.json",
		Then: func(t *testing.T, result any) {
			i := result.(*burnclose.Instructions)
			require.Equal(t, []burnclose.Instruction{{
				ProgramID: wiretest.Address(1), Accounts: []burnclose.AccountMeta{},
				Raw: walletfi.Document(`{"programId": "` + wiretest.Address(1) + `", "accounts": [], "data": "", "stackHeight": 1}`),
			}}, i.Instructions)
			require.Equal(t, new(walletfi.Amount(0)), i.Lamports)
			require.Equal(t, []string{asset}, i.Intent.CloseAccounts)
		},
	}})
}

func TestWireCloseAll(t *testing.T) {
	terms, termsJSON := fullTerms()
	full := burnclose.CloseAllRequest{Owner: owner, Offset: new(26), Limit: new(30), Terms: terms}
	fullJSON := `{"userPublicKey":"` + owner + `","offset":26,"limit":30,` + termsJSON + `}`
	wiretest.Run(t, []wiretest.Case{{
		Call:   wiretest.By(client, (*burnclose.Client).BuildCloseAll, full),
		Method: "POST", Target: "/batch/close-all", Header: withKey, Body: fullJSON, File: "BuildCloseAll.json",
		Then: func(t *testing.T, result any) {
			built := result.(*burnclose.CloseAllTransactions)
			require.Equal(t, 26, built.AccountsClosed)
			require.Equal(t, burnclose.Reclaimed{Lamports: new(walletfi.Amount(53021280)), SOL: wiretest.Decimal(t, "0.05302128")}, built.Reclaimed)
			wiretest.Built(t, walletfi.Unsigned{
				Transactions: []walletfi.EncodedTransaction{
					walletfi.Base58Transaction("Ldp"), walletfi.Base58Transaction("2VfUX"), inBase58(t, "/////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////wEC"),
				},
				Intent: walletfi.Intent{Service: "burnclose", Owner: owner, Sponsor: sponsor, MaxNetworkFeeLamports: new(walletfi.Amount(600_000)), MaxTransactions: 30, MaxRentLamports: new(walletfi.Amount(30 * 2_248_080))},
			}, built.Unsigned())
			require.JSONEq(t, wiretest.File(t, "BuildCloseAll.json"), built.Raw.String())
		},
	}, {
		Name:   "BuildCloseAll, nothing to close",
		Call:   wiretest.By(client, (*burnclose.Client).BuildCloseAll, burnclose.CloseAllRequest{Owner: owner}),
		Method: "POST", Target: "/batch/close-all", Header: withKey, Body: `{"userPublicKey":"` + owner + `"}`,
		Reply: `{"transactions":[],"accountsClosed":"0"}`,
		Then: func(t *testing.T, result any) {
			require.Empty(t, result.(*burnclose.CloseAllTransactions).Transactions)
			require.Empty(t, result.(*burnclose.CloseAllTransactions).Unsigned().Transactions)
		},
	}, {
		Name:   "BuildCloseAll, an item without a transaction",
		Call:   wiretest.By(client, (*burnclose.Client).BuildCloseAll, burnclose.CloseAllRequest{Owner: owner}),
		Method: "POST", Target: "/batch/close-all", Header: withKey, Body: `{"userPublicKey":"` + owner + `"}`,
		Reply: `{"transactions":["Ldp",{"accounts":2}]}`,
		Err:   func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrDecode) },
	}, {
		Call:   wiretest.By(client, (*burnclose.Client).PreviewCloseAll, full),
		Method: "POST", Target: "/batch/close-all/preview", Header: withKey, Body: fullJSON, File: "PreviewCloseAll.json",
		Then: func(t *testing.T, result any) {
			p := result.(*burnclose.CloseAllPreview)
			require.Equal(t, burnclose.Reclaimed{Lamports: new(walletfi.Amount(4078560)), SOL: wiretest.Decimal(t, "0.00407856")}, p.Reclaimed)
			require.Equal(t, []walletfi.Document{
				walletfi.Document(`{"address": "A1", "reclaimLamports": 1}`), walletfi.Document(`"A2"`),
			}, p.Accounts)
			require.JSONEq(t, wiretest.File(t, "PreviewCloseAll.json"), p.Raw.String())
		},
	}, {
		Call:   wiretest.By(client, (*burnclose.Client).SummarizeCloseAll, full),
		Method: "POST", Target: "/batch/close-all/summary", Header: withKey, Body: fullJSON, File: "SummarizeCloseAll.json",
		Then: func(t *testing.T, result any) {
			s := result.(*burnclose.CloseAllSummary)
			require.Equal(t, new(12), s.Accounts)
			require.Equal(t, burnclose.Reclaimed{Lamports: new(walletfi.Amount(24471360)), SOL: wiretest.Decimal(t, "0.02447136")}, s.Reclaimed)
			require.JSONEq(t, wiretest.File(t, "SummarizeCloseAll.json"), s.Raw.String())
		},
	}, {
		Name:   "SummarizeCloseAll, empty",
		Call:   wiretest.By(client, (*burnclose.Client).SummarizeCloseAll, full),
		Method: "POST", Target: "/batch/close-all/summary", Header: withKey, Body: fullJSON,
		Reply: `{"accountsClosed":-1}`, Want: &burnclose.CloseAllSummary{Raw: walletfi.Document(`{"accountsClosed":-1}`)},
	}, {
		Call:   wiretest.By(client, (*burnclose.Client).BuildCloseAllInstructions, full),
		Method: "POST", Target: "/batch/close-all-instructions", Header: withKey, Body: fullJSON, File: "BuildCloseAllInstructions.json",
		Then: func(t *testing.T, result any) {
			all := result.(*burnclose.CloseAllInstructions)
			require.Len(t, all.Groups, 3)
			require.Equal(t, "A1", all.Groups[0].Account)
			require.Equal(t, wiretest.Address(1), all.Groups[0].Instructions[0].ProgramID)
			require.Equal(t, `"2VfUX2VfUX2VfUX2VfUX2VfUX2VfUX2VfUX2VfUX2VfUX2VfUX"`, all.Groups[0].Instructions[1].Raw.String())
			require.Equal(t, wiretest.Address(2), all.Groups[1].Instructions[0].ProgramID)
			require.Equal(t, []burnclose.AccountMeta{{wiretest.Address(3), true, true}}, all.Groups[2].Instructions[0].Accounts)
			require.Equal(t, new(walletfi.Amount(6)), all.Lamports)
			require.Equal(t, sponsor, all.Intent.Sponsor)
			require.JSONEq(t, wiretest.File(t, "BuildCloseAllInstructions.json"), all.Raw.String())
		},
	}})
}
