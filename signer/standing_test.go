package signer_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// TestStanding: a nonce, a delegate, a close authority and a multisig of a key are listed, nothing
// of another's is, and what the node does not list is an error beside the rest.
func TestStanding(t *testing.T) {
	key := func(name string) signing.PublicKey { return signingtest.Key(name).PublicKey() }
	token := make([]byte, 165)
	mint := key("mint")
	copy(token, mint[:])
	copy(token[32:], owner[:])
	plain := append([]byte(nil), token...)
	plain[108] = 1
	binary.LittleEndian.PutUint32(token[72:], 1)
	copy(token[76:], thief[:])
	token[108] = 1
	binary.LittleEndian.PutUint64(token[121:], 77)
	binary.LittleEndian.PutUint32(token[129:], 1)
	copy(token[133:], payee[:])
	nonces, silent, asked := true, false, map[string]int{}
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			ID     any
			Method string
			Params []json.RawMessage
		}
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&q))
		asked[q.Method]++
		row := func(name string, program signing.PublicKey, data []byte) any {
			return map[string]any{"pubkey": key(name).String(), "account": map[string]any{
				"owner": program.String(), "data": []string{base64.StdEncoding.EncodeToString(data), "base64"},
			}}
		}
		list := []any{}
		answer := map[string]any{"jsonrpc": "2.0", "id": q.ID}
		switch q.Method {
		case "getProgramAccounts":
			filter := func(size, at int, whose signing.PublicKey) string {
				return fmt.Sprintf(`[{"dataSize":%d},{"memcmp":{"bytes":"%s","offset":%d}}]`, size, whose, at)
			}
			var config struct {
				Encoding, Commitment string
				WithContext          bool
				Filters              json.RawMessage
			}
			assert.NoError(t, json.Unmarshal(q.Params[1], &config))
			assert.Equal(t, "base64 finalized true", fmt.Sprint(config.Encoding, " ", config.Commitment, " ", config.WithContext))
			switch program := string(q.Params[0]); {
			case program == `"`+signing.SystemProgram.String()+`"` && string(config.Filters) == filter(80, 8, owner):
				list = append(list, row("nonce", signing.SystemProgram, make([]byte, 80)))
				if !nonces {
					answer["error"] = map[string]any{"code": -32010, "message": "excluded"}
				}
			case program == `"`+signing.TokenProgram.String()+`"` && string(config.Filters) == filter(355, 3+32*10, owner):
				list = append(list, row("multisig", signing.TokenProgram, make([]byte, 355)))
			}
		case "getTokenAccountsByOwner":
			if string(q.Params[0]) == `"`+owner.String()+`"` &&
				string(q.Params[1]) == `{"programId":"`+signing.Token2022Program.String()+`"}` {
				list = append(list, row("account", signing.Token2022Program, token), row("plain", signing.Token2022Program, plain))
			}
		}
		answer["result"] = map[string]any{"value": list}
		if silent {
			answer["result"] = map[string]any{"value": nil}
		}
		assert.NoError(t, json.NewEncoder(w).Encode(answer))
	}))
	defer node.Close()
	n, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(node.URL)})
	require.NoError(t, err)
	want := []string{
		"nonce " + key("nonce").String() + ": what was signed on it is good until it is advanced",
		"multisig " + key("multisig").String() + " has the key as signer 11",
		"delegate " + thief.String() + " may take 77 of " + mint.String() + " from " + key("account").String(),
		"close authority " + payee.String() + " may close " + key("account").String(),
	}
	all, err := signer.Standing(t.Context(), n, owner)
	require.NoError(t, err)
	assert.Equal(t, want, all)
	assert.Equal(t, map[string]int{"getProgramAccounts": 23, "getTokenAccountsByOwner": 2}, asked)
	all, err = signer.Standing(t.Context(), n, payee)
	require.NoError(t, err)
	assert.Empty(t, all)
	nonces = false
	all, err = signer.Standing(t.Context(), n, owner)
	require.ErrorContains(t, err, "excluded")
	assert.Equal(t, want[1:], all)
	nonces, silent = true, true
	_, err = signer.Standing(t.Context(), n, payee)
	require.ErrorIs(t, err, walletfi.ErrDecode, "a node that says nothing does not say that there is none")
}
