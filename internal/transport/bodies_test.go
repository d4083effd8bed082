package transport

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// zeros are a body of n bytes that is not kept in memory.
func zeros(n int64) io.Reader { return io.LimitReader(endless{}, n) }

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// bomb is 256 MiB, compressed to a fraction of one.
var bomb = func() []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	io.Copy(w, zeros(1<<28))
	w.Close()
	return b.Bytes()
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestHostileBodies: whatever comes, the error is typed, has the status where
// one came, and memory stays within a small multiple of the cap.
func TestHostileBodies(t *testing.T) {
	const limit = 1 << 20
	kilobyteOfHeader := []byte("X-Filler: " + strings.Repeat("x", 1<<10) + "\r\n")
	bombed := bomb()
	for name, c := range map[string]struct {
		serve  http.HandlerFunc
		status int // 0 where none came
		cause  string
	}{
		"endless": {func(w http.ResponseWriter, _ *http.Request) {
			io.Copy(w, endless{})
		}, 200, "larger than MaxResponseBytes"},
		"a byte too long": {func(w http.ResponseWriter, _ *http.Request) {
			io.Copy(w, zeros(limit+1))
		}, 200, "larger than MaxResponseBytes"},
		"a length that is announced": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(int64(1)<<40))
			io.Copy(w, endless{})
		}, 200, "larger than MaxResponseBytes"},
		"gzip bomb": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bombed)
		}, 200, "larger than MaxResponseBytes"},
		"gzip that is none": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, success)
		}, 200, "gzip"},
		"gzip cut short": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bombed[:len(bombed)/2000])
		}, 200, "unexpected EOF"},
		"10 MiB of headers": {func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				return
			}
			defer conn.Close()
			io.WriteString(conn, "HTTP/1.1 200 OK\r\n")
			for range 10 << 10 {
				if _, err := conn.Write(kilobyteOfHeader); err != nil {
					return
				}
			}
		}, 0, "headers exceeded"},
		"endless, of a refusal": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			io.Copy(w, endless{})
		}, 400, "invalid request"},
	} {
		t.Run(name, func(t *testing.T) {
			url, _ := server(t, c.serve)
			client := clientOf(t, nil, at(url), retries(0), func(cfg *Config) { cfg.Options.MaxResponseBytes = limit })
			var err error
			bytes := allocated(func() { _, err = Do[result](t.Context(), client, callOf(Read), nil) })
			assert.ErrorContains(t, err, c.cause)
			t.Log(bytes>>10, "KiB allocated")
			assert.Less(t, bytes, uint64(12*limit), "bytes allocated, by the server too")
			if c.status == 0 {
				assert.ErrorIs(t, err, walletfi.ErrUnavailable)
				return
			}
			failure := responseOf(t, err)
			assert.Equal(t, c.status, failure.StatusCode)
			assert.LessOrEqual(t, len(failure.Body), 4<<10)
			assert.Equal(t, c.status == 200, failure.Kind == walletfi.ErrDecode)
		})
	}
}

// TestTooLargeIsFinal: it would be as large the next time.
func TestTooLargeIsFinal(t *testing.T) {
	service := serve(reply(200, strings.Repeat(" ", 100)))
	client := clientOf(t, service, func(cfg *Config) { cfg.Options.MaxResponseBytes = 99 })
	_, err := Do[result](t.Context(), client, callOf(Read), nil)
	assert.ErrorIs(t, err, walletfi.ErrDecode)
	assert.Len(t, service.requests(), 1)
	service = serve(reply(200, success+strings.Repeat(" ", 99-len(success))))
	client = clientOf(t, service, func(cfg *Config) { cfg.Options.MaxResponseBytes = 99 })
	_, err = Do[result](t.Context(), client, callOf(Read), nil)
	assert.NoError(t, err, "the cap itself is not too large")
}

// TestBodiesThatCannotBeRead are successes by status alone.
func TestBodiesThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct{ body, cause string }{
		"HTML":            {"<html><body>502</body></html>", "not JSON"},
		"empty":           {"", "the answer is empty"},
		"blank":           {" \n", "the answer is empty"},
		"null":            {"null", "field id: required"},
		"null where due":  {`{"id":null}`, "field id: required"},
		"empty where due": {`{"id":""}`, "field id: required"},
		"absent":          {`{"other":1}`, "field id: required"},
		"trailing JSON":   {success + success, "not JSON"},
		"trailing text":   {success + "x", "not JSON"},
		"ends early":      {`{"id":"x`, "ends early"},
		"invalid UTF-8":   {"{\"id\":\"\xff\"}", "UTF-8"},
		"a wrong type":    {`{"id":{"a":1}}`, "field id: object does not fit string"},
		"a wrong shape":   {`[1]`, "array does not fit transport.result"},
	} {
		for effect, effectName := range effectNames {
			t.Run(name+"/"+effectName, func(t *testing.T) {
				service := serve(reply(200, c.body))
				err := run(t, service, callOf(effect))
				assert.ErrorIs(t, err, walletfi.ErrDecode)
				assert.ErrorContains(t, err, c.cause)
				failure := responseOf(t, err)
				assert.Equal(t, 200, failure.StatusCode)
				assert.Equal(t, c.body, string(failure.Body), "the body is kept")
				assert.Equal(t, movesMoney[effect], isUnknown(err))
				assert.Len(t, service.requests(), 1)
			})
		}
	}
}

// TestRefusalsThatCannotBeRead keep their status and an excerpt.
func TestRefusalsThatCannotBeRead(t *testing.T) {
	for _, body := range []string{"", "<html>", "{", "\xff\xfe", strings.Repeat("x", 10<<10), "null", "[]", `"text"`, "7"} {
		err := run(t, serve(reply(422, body)), callOf(Read))
		assert.ErrorIs(t, err, walletfi.ErrInvalidRequest)
		failure := responseOf(t, err)
		assert.Equal(t, 422, failure.StatusCode)
		assert.Empty(t, failure.Message)
		assert.Equal(t, body[:min(len(body), 4<<10)], string(failure.Body))
	}
}

func TestPlainMessage(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":"text"}`:                      "text",
		`{"message":"m","error":"e"}`:           "m",
		`{"error":{"message":"inner"}}`:         "inner",
		`{"error":{"error":{"detail":"deep"}}}`: "deep",
		`{"detail":"d","title":"t"}`:            "d",
		`{"title":"t"}`:                         "t",
		`{"msg":"two\nlines\tand tabs"}`:        "two lines and tabs",
		`{"message":7}`:                         "",
		`{"message":"","error":"e"}`:            "e",
		`{"message":7,"detail":"d"}`:            "d",
		`{"error":[1]}`:                         "",
		`{}`:                                    "",
		`<html>`:                                "",
		`{"message":"` + strings.Repeat("é", 400) + `"}`: strings.Repeat("é", 150) + "...",
	} {
		assert.Equal(t, want, plainMessage([]byte(body)), "%.60s", body)
	}
}

// TestKindsOfResults: documents, bytes, and nothing at all.
func TestKindsOfResults(t *testing.T) {
	client := func(body string) *Client { return clientOf(t, serve(reply(200, body))) }
	silent := callOf(Set)
	silent.Answer = Silent("a test")
	document := func(body string) (walletfi.Document, error) {
		return DoDocument(t.Context(), client(body), silent, nil)
	}
	for _, body := range []string{`{"a":1}`, ` [1, 2] `, `"text"`, "7", "null"} {
		got, err := document(body)
		require.NoError(t, err)
		assert.Equal(t, body, string(got), "as it came")
	}
	for _, body := range []string{"", " \r\n"} {
		got, err := document(body)
		require.NoError(t, err)
		assert.True(t, got.IsZero())
	}
	for _, body := range []string{"<html>", "{", "{}{}", "\"\xff\"", "x"} {
		_, err := document(body)
		assert.ErrorIs(t, err, walletfi.ErrDecode, "%q", body)
	}
	text := callOf(Read)
	text.Answer = Text("a test")
	for _, body := range []string{"# Markdown", "<b>Markdown</b>", "\xff\x00"} {
		got, err := DoBytes(t.Context(), client(body), text, nil)
		require.NoError(t, err)
		assert.Equal(t, body, string(got))
	}
	for _, body := range []string{"", " ", "<html>", "<!DOCTYPE html>", `{"message":"x"}`} {
		_, err := DoBytes(t.Context(), client(body), text, nil)
		assert.ErrorIs(t, err, walletfi.ErrDecode, "%q", body)
	}
	_, err := DoBytes(t.Context(), client(`{"error":"x"}`), text, nil)
	assert.ErrorIs(t, err, walletfi.ErrRejected)
	for _, body := range []string{"", "{}", "OK", "null"} {
		assert.NoError(t, DoEmpty(t.Context(), client(body), silent, nil))
	}
	assert.ErrorIs(t, DoEmpty(t.Context(), client(" <!doctype html>"), silent, nil), walletfi.ErrDecode)
}

// TestKeep gives the decoded value and the bytes beside it.
func TestKeep(t *testing.T) {
	type kept struct {
		ID  string            `json:"id"`
		Raw walletfi.Document `json:"-"`
	}
	do := func(body string) (*kept, error) {
		return Do(t.Context(), clientOf(t, serve(reply(200, body))), callOf(Read), nil,
			func(k *kept, raw, _ walletfi.Document) { k.Raw = raw })
	}
	got, err := do(`{"id":"x", "new": [1]}`)
	require.NoError(t, err)
	assert.Equal(t, &kept{"x", walletfi.Document(`{"id":"x", "new": [1]}`)}, got)
	_, err = do(`{"id":[]}x`)
	assert.ErrorIs(t, err, walletfi.ErrDecode)
}

// TestTestDoubles: round trippers written by hand leave out what net/http never
// does.
func TestTestDoubles(t *testing.T) {
	nothing := func(*http.Request) (*http.Response, error) { return nil, nil }
	err := run(t, serve(nothing), callOf(Read))
	assert.ErrorIs(t, err, walletfi.ErrUnavailable)
	bare := func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 204}, nil }
	silent := callOf(Set)
	silent.Answer = Silent("a test")
	assert.NoError(t, DoEmpty(t.Context(), clientOf(t, serve(bare)), silent, nil))
	compressed := func(r *http.Request) (*http.Response, error) {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		io.WriteString(w, success)
		w.Close()
		return reply(200, b.String(), "Content-Encoding", "gzip")(r)
	}
	assert.NoError(t, run(t, serve(compressed), callOf(Read)))
}

// TestAnswerThatIsNoHTTP comes from a port where something else listens.
func TestAnswerThatIsNoHTTP(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			io.WriteString(conn, "220 mail.example ESMTP\r\n")
			conn.Close()
		}
	}()
	defer l.Close()
	_, err = Do[result](t.Context(), clientOf(t, nil, at("http://"+l.Addr().String()), retries(0)), callOf(Read), nil)
	assert.ErrorIs(t, err, walletfi.ErrUnavailable)
}

// TestBodyIsClosed: whatever is in it.
func TestBodyIsClosed(t *testing.T) {
	for name, answer := range map[string]step{
		"read": reply(200, success), "refused": reply(400, ""), "cut": truncated(200, "{"),
		"too large": reply(200, strings.Repeat(" ", 100)), "no gzip": reply(200, success, "Content-Encoding", "gzip"),
	} {
		closed := 0
		service := serve(func(r *http.Request) (*http.Response, error) {
			response, err := answer(r)
			response.Body = countedBody{response.Body, &closed}
			return response, err
		})
		client := clientOf(t, service, retries(0), func(cfg *Config) { cfg.Options.MaxResponseBytes = 99 })
		_, _ = Do[result](t.Context(), client, callOf(Read), nil)
		assert.Equal(t, 1, closed, name)
	}
}

// countedBody counts how often it is closed.
type countedBody struct {
	io.Reader
	closed *int
}

func (c countedBody) Close() error { *c.closed++; return nil }

// TestGzipThatIsNone, from a round tripper that leaves the decoding to us.
func TestGzipThatIsNone(t *testing.T) {
	service := serve(reply(200, success, "Content-Encoding", "gzip"))
	err := run(t, service, callOf(Create))
	assert.ErrorIs(t, err, walletfi.ErrDecode)
	assert.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	assert.ErrorContains(t, err, "gzip: ")
	decoded := func(r *http.Request) (*http.Response, error) {
		response, err := reply(200, success, "Content-Encoding", "gzip")(r)
		response.Uncompressed = true
		return response, err
	}
	assert.NoError(t, run(t, serve(decoded), callOf(Read)))
}

// TestTextThatBeginsAsJSON is a text.
func TestTextThatBeginsAsJSON(t *testing.T) {
	text := callOf(Read)
	text.Answer = Text("a test")
	for _, body := range []string{"{{ template }}", "{", `{"a":`} {
		var read []byte
		text.Read = func(body []byte) { read = body }
		got, err := DoBytes(t.Context(), clientOf(t, serve(reply(200, body))), text, nil)
		require.NoError(t, err)
		assert.Equal(t, body, string(got))
		assert.Equal(t, body, string(read))
	}
	text.Answer = Open("a test")
	_, err := DoBytes(t.Context(), clientOf(t, serve(reply(200, "{{ template }}"))), text, nil)
	assert.ErrorIs(t, err, walletfi.ErrDecode)
}

// TestEnvelop: a member that does not fit costs no other, and what is not JSON is no
// envelope.
func TestEnvelop(t *testing.T) {
	type envelope struct {
		Code   string `json:"code"`
		Detail struct{ A int }
	}
	for body, want := range map[string]struct {
		is   bool
		code string
	}{
		`{"code":"C"}`: {true, "C"}, `{"code":7}`: {true, "7"}, `{"code":"C","detail":"text"}`: {true, "C"}, `{}`: {true, ""}, `[1]`: {true, ""},
		`<html>`: {false, ""}, `{"code":`: {false, ""}, ``: {false, ""},
	} {
		var e envelope
		assert.Equal(t, want.is, Envelop([]byte(body), &e), body)
		assert.Equal(t, want.code, e.Code, body)
	}
}

// TestNamedMember: an error of a decoder that names no member is told with the one
// that the call declares; any other stays as it is.
func TestNamedMember(t *testing.T) {
	at := func(path string) error { return &wire.FieldError{Path: path, Problem: "p"} }
	unread := &walletfi.UnreadError{Records: []*walletfi.RecordError{{Err: at("")}}}
	for name, c := range map[string]struct {
		answer    Answer
		err, want error
	}{
		"no member":        {Says("*a"), at(""), &wire.FieldError{Path: "a", Problem: at("").Error()}},
		"a list":           {Lists("*items"), at(""), &wire.FieldError{Path: "items", Problem: at("").Error()}},
		"not JSON":         {Lists("*items"), wire.ErrSyntax, wire.ErrSyntax},
		"a member":         {Says("*a"), at("b"), at("b")},
		"records":          {Lists("*items"), unread, unread},
		"declared by name": {Says("a"), at(""), at("")},
		"nothing declared": {Open("a test"), at(""), at("")},
	} {
		x := exchange{call: Call{Answer: c.answer}}
		assert.Equal(t, c.want, x.named(c.err), name)
	}
}
