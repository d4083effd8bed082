package dialect

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/deployment"
)

// TestUndoDefault: the sandbox leaves out what the file's default says, so that a client
// has to fill it in, and nothing else.
func TestUndoDefault(t *testing.T) {
	steps := []deployment.Step{{Default: json.RawMessage(`[]`), To: "a.b"}}
	for documented, live := range map[string]string{
		`{"a":{"b":[ ]},"c":1}`: `{"c":1}`,
		`{"a":{"b":[],"d":2}}`:  `{"a":{"d":2}}`,
		`{"a":{"b":[1]}}`:       `{"a":{"b":[1]}}`,
		`{"c":1}`:               `{"c":1}`,
	} {
		got, err := undo(steps, []byte(documented), nil, false)
		require.NoError(t, err)
		require.Equal(t, live, string(got), documented)
	}
}

// TestUndoNamesAndComplement: levels become members again, records arrays of two, and the
// complement of a price its own.
func TestUndoNamesAndComplement(t *testing.T) {
	names := deployment.Step{At: "a", Names: []string{"price", "quantity"}}
	complement := deployment.Step{At: "a.*.price", Complement: true}
	for documented, live := range map[string]string{
		`{"a":[{"price":"0.47","quantity":3},{"price":0.1,"quantity":4}]}`: `{"a":{"0.53":3,"0.9":4}}`,
		`{"a":[{"price":1,"quantity":3},{"price":"0","quantity":4}]}`:      `{"a":{"0":3,"1":4}}`,
		`{"a":[{"price":0.250,"quantity":3}]}`:                             `{"a":{"0.75":3}}`,
		`{"a":[]}`:                                                         `{"a":{}}`,
	} {
		got, err := undo([]deployment.Step{names, complement}, []byte(documented), nil, false)
		require.NoError(t, err, documented)
		require.Equal(t, live, string(got), documented)
	}
	got, err := undo([]deployment.Step{{Names: []string{"mint", "decimals"}}}, []byte(`{"decimals":6,"mint":"m"}`), nil, false)
	require.NoError(t, err)
	require.Equal(t, `["m",6]`, string(got))
	for _, wrong := range []string{`{"a":1}`, `{"a":[{"price":2,"quantity":1}]}`, `{"a":[{"price":-0.5,"quantity":1}]}`, `{"a":[{"price":0.5}]}`} {
		_, err := undo([]deployment.Step{names, complement}, []byte(wrong), nil, false)
		require.Error(t, err, wrong)
	}
}
