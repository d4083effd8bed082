package socialsearch

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSevenDaysAgo: the edge of what can be searched works, on the way to the
// service too, and when the clocks change.
func TestSevenDaysAgo(t *testing.T) {
	now := time.Now()
	for _, start := range []time.Time{now.AddDate(0, 0, -7), now.Add(-searchable), now.Add(-searchable - 59*time.Minute)} {
		req := SearchRequest{Query: NewQuery(Keyword("gm")), StartTime: start}
		require.NoError(t, req.problem(time.Now()))
		sent, err := time.Parse(time.RFC3339, req.query(time.Now()).StartTime)
		require.NoError(t, err)
		require.WithinDuration(t, now.Add(travel-searchable), sent, 2*time.Second)
	}
	early := now.Add(-searchable - 2*time.Hour)
	require.Error(t, SearchRequest{Query: NewQuery(Keyword("gm")), StartTime: early}.problem(time.Now()))
	require.Equal(t, now.Add(-time.Hour), searchableFrom(now.Add(-time.Hour), now))
	require.Zero(t, searchableFrom(time.Time{}, now))
}
