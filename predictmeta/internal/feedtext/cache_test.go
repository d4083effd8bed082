package feedtext

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCachesAreBounded(t *testing.T) {
	var texts Texts
	var prices Prices
	for i := range 5000 {
		text := "0." + strings.Repeat("9", i%100+1) + "1"
		require.Equal(t, text, texts.Of([]byte(text)))
		d, ok := prices.Of([]byte(text))
		require.True(t, ok)
		require.Equal(t, text, d.String())
	}
	for i := range texts {
		require.LessOrEqual(t, len(texts[i]), longestCached)
	}
	for i := range prices {
		require.LessOrEqual(t, len(prices[i].String()), longestCached)
	}
	_, ok := prices.Of(nil)
	require.False(t, ok)
}
