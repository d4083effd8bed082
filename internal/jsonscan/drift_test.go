package jsonscan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUndocumentedMembersStayFast: a scan takes a record with members that nobody
// documents, whatever their names and however deep they nest, with as many allocations
// as one without, and reads the others as encoding/json does.
func TestUndocumentedMembersStayFast(t *testing.T) {
	deep := func(open, end string, depth int) string {
		return strings.Repeat(open, depth) + "1" + strings.Repeat(end, depth)
	}
	plain := `{"text":"t","Colour":"red","inner":{"count":3,"text":"u"}}`
	var want shaped
	require.NoError(t, json.Unmarshal([]byte(plain), &want))
	read := func(body string) (got shaped) {
		require.True(t, Scan([]byte(body), func(s *Scanner) { shape.Read(s, &got) }), "%.80s", body)
		return got
	}
	base := testing.AllocsPerRun(10, func() { read(plain) })
	for _, member := range []string{
		`"newMember":1`, `"NEW":{"Text":1,"text":[]}`, `"größe":1`, `"ſ":1`, `"日本":{"é":"日"}`, `"x":"\u00e9\n\ud83d\ude00\/"`,
		`"x":` + deep(`[`, `]`, 65), `"x":` + deep(`{"a":`, `}`, 65), `"x":` + deep(`[`, `]`, 5000), `"x":` + deep(`{"\u0061":`, `}`, 5000),
	} {
		for _, body := range []string{
			fmt.Sprintf(`{%s,"text":"t","Colour":"red","inner":{"count":3,"text":"u"}}`, member),
			fmt.Sprintf(`{"text":"t","Colour":"red","inner":{"count":3,%s,"text":"u"}}`, member),
		} {
			require.Equal(t, want, read(body), "%.80s", body)
			require.LessOrEqual(t, testing.AllocsPerRun(10, func() { read(body) }), base+1, "%.80s", body)
		}
	}
}
