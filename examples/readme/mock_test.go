package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"gopkg.in/h2non/gock.v1"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestDeposit is the README's test without a server: gock answers for the service and
// for the node. Its time is simulated, since a node that knows no getBlock is asked again.
func TestDeposit(t *testing.T) { synctest.Test(t, deposit) }

func deposit(t *testing.T) {
	defer gock.Off()
	owner, program := signingtest.Key("owner"), signingtest.Key("lending").PublicKey()
	usdc := signingtest.Key("usdc").PublicKey().String()
	tx := signingtest.Transaction{FeePayer: owner.PublicKey(), Instructions: []signingtest.Instruction{
		signingtest.Call(program, owner.PublicKey()),
	}}
	gock.New("https://lending.test").Post("/v1/generate.transactions.deposit").
		Reply(200).JSON(map[string]any{"transaction": tx.Unsigned(t), "lastValidBlockHeight": 1100, "blockhash": signingtest.Blockhash})
	rpc := func(method string, result any) { // a node has one path: the method is in the body, as is the id
		gock.New("https://rpc.test").Post("/").MatchType("json").BodyString(`"method":"` + method + `"`).Persist().
			Reply(200).Map(func(r *http.Response) *http.Response {
			var call struct{ ID uint64 }
			require.NoError(t, json.NewDecoder(r.Request.Body).Decode(&call))
			text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": call.ID, "result": result})
			require.NoError(t, err)
			r.Body = io.NopCloser(bytes.NewReader(text))
			return r
		})
	}
	rpc("getEpochInfo", map[string]any{"absoluteSlot": 2000, "blockHeight": 1000})
	rpc("sendTransaction", tx.Signed(t, owner).Signature)
	rpc("getSignatureStatuses", map[string]any{
		"context": map[string]any{"slot": 2001},
		"value":   []any{map[string]any{"slot": 2001, "err": nil, "confirmationStatus": "confirmed"}},
	})

	service, err := lending.New(lending.Config{BaseURL: "https://lending.test", APIKey: walletfi.NewSecret("k")})
	require.NoError(t, err)
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret("https://rpc.test")})
	require.NoError(t, err)
	w, err := wallet.New(wallet.Config{
		Signer: owner, Guard: signing.NewGuard(signing.Policy{
			Pins: map[string][]signing.PublicKey{"lending": {program}}, AllowBlind: []string{"lending"}, Unsimulated: []string{"lending"},
		}),
		Submitter: node, Confirmer: node, Heights: node, PollEvery: time.Millisecond,
	})
	require.NoError(t, err)
	placed, err := w.Place(t.Context(), wallet.OrderOf(service.BuildDeposit, lending.DepositRequest{
		Owner: owner.PublicKey().String(), Mint: usdc, DepositType: lending.DepositProtected, Amount: 5,
	}), wallet.PlaceOptions{Key: "order 7"})
	require.NoError(t, err)
	require.Equal(t, []string{tx.Signed(t, owner).Signature}, placed.Result.Signatures())
	require.NoError(t, w.Close())
}
