package peer

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/race"
)

// manySecrets are as many as a program with many keys has, all with the same
// beginning, as keys and tokens have.
func manySecrets() []string {
	var secrets []string
	for i := range 64 {
		secrets = append(secrets, fmt.Sprintf("eyJhbGciOiJSUzI1NiJ9.sk_live/%02d+%s", i, strings.Repeat("a&b", 20)))
	}
	return secrets
}

// hostile are bodies on which a search by trial takes long.
func hostile(secret string) map[string]string {
	bodies := map[string]string{
		"an envelope": `{"error":{"code":"BAD","message":"no such mint"}},`,
		"ampersands":  "&", "entities": "&lt;", "names of nothing": "&nothing;", "numbers": "&#x65;&#121;", "percents": "%65%79",
		"percent signs": "%", "plus signs": "+", "backslashes": `\`, "quotes": `"`, "unicode": `\u0065\u0079`,
		"quoted entities": `\u0026\u0023\u0031\u0032\u0031;`, "quoted unicode": `\\u0065\\u0079`,
		"a bit of all":  `\u0065&#121;%4a+\\u0068"&amp;`,
		"the beginning": secret[:6], "more of it": secret[:30], "almost all": secret[:len(secret)-1], "all": secret,
		"letters": "a", "escaped beginning": `%65%79%4A%68\u0062&#71;`, "the beginning and escapes": secret[:8] + `\u0065%`,
	}
	return bodies
}

// TestMaskIsFast bounds the time for a byte, whatever the body says. The bound
// leaves room for a busy machine, and more for the race detector; a search that tries each
// secret at each place takes tens of microseconds. BenchmarkMaskHostile tells
// the real figures.
func TestMaskIsFast(t *testing.T) {
	most := 2 * time.Microsecond
	if race.Enabled {
		most *= 8
	}
	secrets := manySecrets()
	m := NewMask(secrets)
	for name, part := range hostile(secrets[0]) {
		body := bytes.Repeat([]byte(part), 2<<20/len(part))
		best := time.Hour
		for range 5 {
			begun := time.Now()
			m.Failure(body)
			best = min(best, time.Since(begun))
		}
		assert.LessOrEqual(t, best, MaxFailure*most, name)
	}
}

func BenchmarkMaskHostile(b *testing.B) {
	secrets := manySecrets()
	m := NewMask(secrets)
	for name, part := range hostile(secrets[0]) {
		body := bytes.Repeat([]byte(part), 2<<20/len(part))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				m.Failure(body)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/MaxFailure, "ns/byte")
		})
	}
}

// TestFailureIsBounded: what is read of a long body is cut after it was masked.
func TestFailureIsBounded(t *testing.T) {
	const secret = "abcdef/ghijkl&mnopqrstuvwxyz"
	m := NewMask([]string{secret})
	for name, spelling := range map[string]string{
		"as it is": secret, "JSON": `abcdef\/ghijkl\u0026mnopqrstuvwxyz`, "URL": "%61bcdef%2Fghijkl%26mnopqrstuvwxyz",
		"HTML in JSON": strings.Replace(`\u0026#97;bcdef/ghijkl&amp;mnopqrstuvwxyz`, "&", `\u0026`, 1),
	} {
		for start := MaxFailure - len(spelling) - 2; start <= MaxFailure; start++ {
			body := strings.Repeat(".", start) + spelling + strings.Repeat(".", 2000)
			got := string(m.Failure([]byte(body)))
			require.LessOrEqual(t, len(got), MaxFailure)
			require.Empty(t, strings.Trim(strings.ReplaceAll(got, masking, ""), ".[secrt]"), "%s at %d", name, start)
		}
	}
}

// TestMaskOfRepetitions: a text that repeats itself is masked too much rather
// than too slowly or too little.
func TestMaskOfRepetitions(t *testing.T) {
	secret := strings.Repeat("a", 200)
	for _, part := range []string{"a", "%61", `\u0061`, "&#97;"} {
		got := NewMask([]string{secret}).Text(strings.Repeat(part, 60_000))
		assert.True(t, strings.ReplaceAll(got, masking, "") == "", part)
	}
}
