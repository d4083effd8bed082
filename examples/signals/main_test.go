package main

import (
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// reported runs the report on a sandbox and returns its rows and what follows
// them. What was billed is held against what is printed.
func reported(t *testing.T, args ...string) (rows [][]string, foot string) {
	t.Helper()
	q, err := parse(args)
	require.NoError(t, err)
	s, err := openSandbox(q.budget)
	require.NoError(t, err)
	defer s.close()
	q.mint = s.mint(q.ticker)
	var out strings.Builder
	require.NoError(t, s.report(t.Context(), q, &out))
	require.Empty(t, s.sandbox.Violations())

	table, foot, ok := strings.Cut(out.String(), "\n\n")
	require.True(t, ok, out.String())
	for _, line := range strings.Split(table, "\n")[1:] {
		rows = append(rows, strings.Fields(line))
	}
	usage := s.sandbox.SocialSearch().Usage()
	require.Equal(t, socialsearch.Cost(usage.Cost())*1000, s.meter.Spent(), "what the service bills is what is printed")
	require.Contains(t, foot, strconv.Itoa(usage.PostsRead)+" posts about $"+q.ticker+" read for "+s.meter.Spent().String()+", of")
	require.Positive(t, usage.PostsRead)
	return rows, foot
}

// Columns of a row, after the three of the date.
const (
	closeColumn = 3
	postsColumn = 6
)

func TestSandbox(t *testing.T) {
	rows, foot := reported(t, "-hours", "48")
	require.Contains(t, []int{12, 13}, len(rows), "four hours each, and the one that has begun")
	sum := 0
	for i, row := range rows {
		at, err := time.Parse("Jan 02 15:04", strings.Join(row[:3], " "))
		require.NoError(t, err)
		require.Zero(t, at.Hour()%4)
		if i > 0 {
			require.NotEqual(t, rows[i-1][:2], row[:3])
		}
		price, err := strconv.ParseFloat(row[closeColumn], 64)
		require.NoError(t, err)
		require.InDelta(t, 150, price, 50)
		posts, err := strconv.Atoi(row[postsColumn])
		require.NoError(t, err)
		sum += posts
	}
	require.True(t, strings.HasPrefix(foot, strconv.Itoa(sum)+" posts about $SOL"), "each post in one candle: %s", foot)
	require.NotContains(t, foot, "missing")
}

// TestBudget: a search that costs too much ends, and says so; what was not read
// is not shown as nothing.
func TestBudget(t *testing.T) {
	rows, foot := reported(t, "-hours", "160", "-budget", "0.07")
	require.Contains(t, foot, "the budget ended the search")
	require.True(t, strings.HasPrefix(foot, "14 posts about $SOL read for 0.07, of a budget of 0.07"), foot)
	require.Equal(t, "?", rows[0][postsColumn])
	require.NotEqual(t, "?", rows[len(rows)-1][postsColumn])
}

// TestLive: the services by their addresses, here those of a sandbox.
func TestLive(t *testing.T) {
	box, err := sandbox.Start(sandbox.Config{})
	require.NoError(t, err)
	defer box.Close()
	t.Setenv("SOCIAL_URL", box.URL(sandbox.SocialSearch))
	t.Setenv("SOCIAL_TOKEN", box.SocialSearch().UserToken())
	t.Setenv("MARKET_URL", box.URL(sandbox.OnchainData))
	t.Setenv("MARKET_KEY", box.APIKey(sandbox.OnchainData))

	var out strings.Builder
	require.NoError(t, run(t.Context(), []string{"-ticker", "USDC", "-mint", box.Mint("USDC"), "-hours", "8"}, &out))
	require.Contains(t, out.String(), " posts about $USDC read for ")
	require.ErrorContains(t, run(t.Context(), nil, io.Discard), "-mint")

	t.Setenv("SOCIAL_TOKEN", "another")
	require.ErrorIs(t, run(t.Context(), []string{"-mint", box.Mint("SOL")}, io.Discard), walletfi.ErrUnauthorized)
	t.Setenv("MARKET_KEY", "")
	require.ErrorIs(t, run(t.Context(), []string{"-mint", box.Mint("SOL")}, io.Discard), walletfi.ErrInvalidRequest)
}

func TestRefused(t *testing.T) {
	for _, args := range []string{"-hours 0", "-hours 165", "-budget 0", "-budget -1", "-budget 0.0000001", "-budget much", "-ticker NOSUCH", "-unknown"} {
		require.Error(t, run(t.Context(), strings.Fields(args), io.Discard), args)
	}
}

func TestMentions(t *testing.T) {
	post := func(author string, likes *int64, text string) socialsearch.Post {
		p := socialsearch.Post{Text: text, PublicMetrics: &socialsearch.PostMetrics{LikeCount: likes}}
		if author != "" {
			p.Author = &socialsearch.User{Username: author}
		}
		return p
	}
	for want, posts := range map[string][]socialsearch.Post{
		"0\t-\t":             nil,
		"1\t-\t":             {{}},
		"1\t0\t@ann: gm":     {post("ann", new(int64(0)), "gm")},
		"2\t7\tsomebody: b":  {post("ann", new(int64(3)), "a"), post("", new(int64(4)), "b")},
		"2\t3+\t@ann: a b c": {post("ann", new(int64(3)), "a\nb\tc"), post("bob", nil, "b")},
	} {
		require.Equal(t, want, mentions(posts))
	}
	require.Equal(t, "[31mred", excerpt("\x1b[31mred\u202e"), "nothing that moves the cursor or the reading")
	require.Len(t, []rune(excerpt(strings.Repeat("é", 100))), 48)
	require.Equal(t, "-", change(onchaindata.Candle{}))
}
