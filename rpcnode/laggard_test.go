package rpcnode_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// TestAttackedListedAccountOfAnOldState: the first transaction of a set has added a SOL to an
// account of the caller's list, in slot 8. Of two nodes behind one address, the one that tells
// the accounts before is still at slot 7, the one that simulates at slot 8. The second
// transaction takes the SOL again: nothing of that is seen, and it is signed.
func TestAttackedListedAccountOfAnOldState(t *testing.T) {
	for _, lags := range []bool{false, true} {
		t.Run(fmt.Sprintf("lags %t", lags), func(t *testing.T) {
			owner, program, listed := signingtest.Key("owner"), signingtest.Key("program").PublicKey(), signingtest.Key("listed").PublicKey()
			call := func(data byte) walletfi.EncodedTransaction {
				return signingtest.Transaction{FeePayer: owner.PublicKey(),
					Instructions: []signingtest.Instruction{{
						Program: program, Data: []byte{data}, Accounts: []signingtest.Account{{Key: owner.PublicKey(),
							Signer: true, Writable: true}, {Key: listed, Writable: true}},
					}}}.Unsigned(t)
			}
			u := walletfi.Unsigned{Transactions: []walletfi.EncodedTransaction{call(1), call(2)},
				Intent: walletfi.Intent{Service: "swap", Owner: owner.PublicKey().String(),
					MaxRentLamports: new(walletfi.Amount(0)),
					Receive:         []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 1_000_000_000}}}}
			const had, has = 1_000_000, 1_001_000_000
			reads := 0
			states := func(keys []string, of uint64) string {
				var list []string
				for _, k := range keys {
					if k == listed.String() {
						list = append(list, accountJSON(of))
					} else {
						list = append(list, accountJSON(1_000_000_000))
					}
				}
				return strings.Join(list, ",")
			}
			node := onFake(t, func(w http.ResponseWriter, method string, params []json.RawMessage) {
				switch method {
				case "getMultipleAccounts":
					var keys []string
					json.Unmarshal(params[0], &keys)
					slot, of := 8, uint64(has)
					if reads++; reads == 1 && lags {
						slot, of = 7, had
					}
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":%d},"value":[%s]}}`, slot,
						states(keys, of))
				case "simulateTransaction":
					var config struct {
						Accounts struct{ Addresses []string }
					}
					json.Unmarshal(params[1], &config)
					fmt.Fprintf(w,
						`{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":8},"value":{"err":null,"accounts":[%s],"innerInstructions":[]}}}`,
						states(config.Accounts.Addresses, had))
				}
			})
			guard := signing.NewGuard(signing.Policy{Pins: map[string][]signing.PublicKey{"swap": {program}},
				Simulator: node,
				Accounts:  []signing.OwnAccount{{Address: listed}}})
			executed := &walletfi.Effects{Slot: 8, FeePayer: owner.PublicKey().String(), Fee: 5000,
				Lamports: []walletfi.LamportChange{
					{Account: owner.PublicKey().String(),
						Change: walletfi.Change{Before: 1_000_005_000, After: 1_000_000_000}},
					{Account: listed.String(), Change: walletfi.Change{Before: had, After: has}},
				}}
			_, report, err := guard.SignStep(t.Context(), u, signing.Step{Executed: []*walletfi.Effects{executed}},
				owner)
			if err == nil {
				t.Log(report.Text())
			} else {
				t.Log(err)
			}
			require.Error(t, err, "signed: the SOL that the first has added is taken again")
		})
	}
}
