package postgres

import (
	"database/sql/driver"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNumbered: statements come in the signer's SQL, and go out in PostgreSQL's.
func TestNumbered(t *testing.T) {
	require.Equal(t, "SELECT 1", numbered("SELECT 1"))
	require.Equal(t, "a = $1 AND b IN ('', $2)", numbered("a = ? AND b IN ('', ?)"))
	for given, want := range map[driver.Value]driver.Value{true: int64(1), false: int64(0), "text": "text", 7: int64(7)} {
		v := driver.NamedValue{Value: given}
		require.NoError(t, conn{}.CheckNamedValue(&v))
		require.Equal(t, want, v.Value)
	}
}
