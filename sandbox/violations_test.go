package sandbox_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// TestViolationsOfOthersAreSeen: a client that repeats one mistake hides no other client's.
func TestViolationsOfOthersAreSeen(t *testing.T) {
	b := newTrader(t, sandbox.Config{ManualClock: true, NoLimits: true})
	ask := func(client, path string) {
		r, err := http.NewRequest("GET", b.URL(sandbox.Lending)+path, nil)
		require.NoError(t, err)
		r.Header.Set("User-Agent", client)
		answer, err := b.client.Do(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, 404, answer.StatusCode)
	}
	for range 1200 {
		ask("flood/1", "/v1/same")
	}
	ask("quiet/1", "/v1/other")
	ask("flood/1", "/v1/same")
	all := b.Violations()
	require.Len(t, all, 102)
	assert.Equal(t, []int{1, 100, 1201, 1202}, []int{all[0].Number, all[99].Number, all[100].Number, all[101].Number})
	assert.Equal(t, "GET /v1/other", all[100].Route)

	groups := sandbox.ViolationGroups(b.Sandbox)
	require.Len(t, groups, 2)
	assert.Equal(t, []int{1201, 1}, []int{groups[0].Count, groups[1].Count})
	assert.Equal(t, []string{"flood/1", "quiet/1"}, []string{groups[0].Client, groups[1].Client})
	assert.Equal(t, sandbox.Lending, groups[0].Service)
	assert.Equal(t, all[0], groups[0].Example)
	assert.Equal(t, b.Now(), groups[0].Last)

	sandbox.ForgetViolations(b.Sandbox)
	assert.Empty(t, b.Violations())
	assert.Empty(t, sandbox.ViolationGroups(b.Sandbox))
	ask("quiet/1", "/v1/other")
	assert.Equal(t, 1203, b.Violations()[0].Number)
}
