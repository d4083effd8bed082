package program

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// TestWhoAsksNoNodeFindsNothing: a file of nodes that is empty is an error, not the answer that there is nothing.
func TestWhoAsksNoNodeFindsNothing(t *testing.T) {
	nodes := filepath.Join(t.TempDir(), "nodes.txt")
	require.NoError(t, os.WriteFile(nodes, []byte("\n"), 0o600))
	_, err := readNodes(nodes)
	require.ErrorContains(t, err, "no URL of a node")
	var out, errs bytes.Buffer
	key := signingtest.Key("owner").PublicKey().String()
	status := Run(t.Context(), []string{"init", "--of", key, "--nodes", nodes}, strings.NewReader(""), &out, &errs)
	assert.Equal(t, 1, status)
	assert.Empty(t, out.String())
}
