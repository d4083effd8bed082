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
