package node_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// slots is so many slots of the clock.
func slots(n int) time.Duration { return time.Duration(n) * 400 * time.Millisecond }

// object is the last parameter of a call.
type object = map[string]any

// at is a config with a commitment.
func at(commitment string) object { return object{"commitment": commitment} }

// ask calls a method of node i. Of an error the answer is the error object.
func (s *started) ask(t *testing.T, i int, method string, params ...any) (a answer, code string) {
	t.Helper()
	if params == nil {
		params = []any{}
	}
	body := kit.MustJSON(object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	response, err := s.Client.Post(s.HostURL(play.RPC, kit.NodeName(i)), "application/json", bytes.NewReader(body))
	require.NoError(t, err)
	defer response.Body.Close()
	var out object
	dec := json.NewDecoder(response.Body)
	dec.UseNumber()
	require.NoError(t, dec.Decode(&out))
	if problem, failed := out["error"]; failed {
		a = answer{JSON: problem}
		return a, a.Text("code")
	}
	return answer{JSON: out["result"]}, ""
}

// ok is ask that must succeed.
func (s *started) ok(t *testing.T, i int, method string, params ...any) answer {
	t.Helper()
	a, code := s.ask(t, i, method, params...)
	require.Empty(t, code, "%s %v: %s", method, params, a.Text("message"))
	return a
}

// paid lands a payment and returns its signature.
func (s *started) paid(t *testing.T, to string, lamports uint64) string {
	t.Helper()
	tx := s.payment(t, solana.MustPublicKeyFromBase58(to), lamports)
	s.send(t, tx)
	return tx.Signatures[0].String()
}

// named is the address of a wallet.
func (s *started) named(name string) string { return build.PublicKey(s.Keypair(name)).String() }
