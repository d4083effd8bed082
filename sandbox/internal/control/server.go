package control

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// Server serves a table.
type Server struct {
	routes map[string]*Row // by path
	token  [sha256.Size]byte
	url    func() string
	pages  map[string]Page // by path

	mu    sync.Mutex
	undos map[string]func() // by id
	count int
}

// Page is a document for people: what it is, and what it says for a query.
type Page struct {
	ContentType string
	Write       func(query url.Values) []byte
}

// OpenAPI is the path of the OpenAPI file, which alone needs no token.
const OpenAPI = "/openapi.json"

// Undo is the path of the route that undoes what a control did.
const Undo = "/undo"

// New makes the server of the rows. subjects gives what the rows control at present,
// always the same types in the same order. url gives the server's own base URL, once it
// has one.
func New(token string, url func() string, rows []Row, subjects func() []any, pages map[string]Page) *Server {
	s := &Server{
		routes: map[string]*Row{}, token: sha256.Sum256([]byte(token)), url: url, undos: map[string]func(){}, pages: pages,
	}
	undo := NewRow("POST "+Undo, "id", "Undoes what the route that answered the id did, once.", (*Server).undo)
	for _, r := range append(rows, undo) {
		if s.routes[r.Path] != nil {
			panic("sandbox: two rows have the path " + r.Path)
		}
		r.bind(func() []any { return append(subjects(), s) })
		s.routes[r.Path] = &r
	}
	return s
}

// maxBody bounds a request's body, which may have a snapshot.
const maxBody = 256 << 20

// ServeHTTP answers one request: origin, token, route, arguments, control.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if page, ok := s.pages[r.URL.Path]; ok && r.Method == http.MethodGet {
		s.show(w, r, page)
		return
	}
	if problem := s.foreign(r, "none"); problem != "" {
		refuse(w, http.StatusForbidden, problem)
		return
	}
	if r.URL.Path == OpenAPI && r.Method == http.MethodGet {
		w.Write(kit.MustJSON(document(s.url(), s.routes)))
		return
	}
	if !s.authorised(r.Header) {
		h.Set("WWW-Authenticate", "Bearer")
		refuse(w, http.StatusUnauthorized,
			"the token is missing or wrong: Authorization must be Bearer and the sandbox's control token")
		return
	}
	found := s.routes[r.URL.Path]
	switch {
	case found == nil:
		refuse(w, http.StatusNotFound, "there is no such route: GET "+OpenAPI+" lists them")
	case found.Method != r.Method:
		h.Set("Allow", found.Method)
		refuse(w, http.StatusMethodNotAllowed, "the method must be "+found.Method)
	default:
		s.serve(w, r, found)
	}
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request, found *Row) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "the body is longer than "+strconv.Itoa(maxBody)+" bytes")
		return
	}
	if len(body) > 0 {
		media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || media != "application/json" || r.Method == http.MethodGet {
			refuse(w, http.StatusUnsupportedMediaType, "a body must be application/json, and that of a POST")
			return
		}
	}
	arguments, err := found.arguments(r.URL.Query(), body)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	answer, err := s.call(found, arguments)
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	text := kit.MustJSON(answer)
	if found.after != nil { // the answer is whole before this returns: nothing may follow it
		w.Header().Set("Connection", "close")
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	}
	w.Write(text)
	if found.after != nil {
		http.NewResponseController(w).Flush()
		found.after()
	}
}

// call runs a control. What it does not take, such as a count of 0, it may panic
// at: that is an error of the caller's.
func (s *Server) call(r *Row, arguments []reflect.Value) (answer map[string]any, err error) {
	defer func() {
		if p := recover(); p != nil {
			answer, err = nil, fmt.Errorf("%v", p)
		}
	}()
	do := r.do.Call
	if r.do.Type().IsVariadic() {
		do = r.do.CallSlice
	}
	results := do(arguments)
	if r.fails && !results[len(results)-1].IsNil() {
		return nil, results[len(results)-1].Interface().(error)
	}
	answer = map[string]any{}
	for i, out := range r.out {
		if out.typ == undoType {
			answer[out.name] = s.keep(results[i].Interface().(func()))
			continue
		}
		answer[out.name] = written(results[i])
	}
	return answer, nil
}

// mostUndos is how many controls can be undone, the newest.
const mostUndos = 4096

func (s *Server) keep(undo func()) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	id = "undo-" + strconv.Itoa(s.count)
	s.undos[id] = undo
	delete(s.undos, "undo-"+strconv.Itoa(s.count-mostUndos))
	return id
}

func (s *Server) undo(id string) error {
	s.mu.Lock()
	undo := s.undos[id]
	delete(s.undos, id)
	s.mu.Unlock()
	if undo == nil {
		return fmt.Errorf("there is no %q to undo", id)
	}
	undo()
	return nil
}

// foreign says what is wrong with where a request comes from. A page in a browser
// can reach loopback by a name of its own (DNS rebinding), which Host shows, or
// across origins, which Origin and Sec-Fetch-Site show. No answer has a CORS
// header. sites are the values of Sec-Fetch-Site that are taken.
func (s *Server) foreign(r *http.Request, sites ...string) string {
	own := strings.TrimPrefix(s.url(), "http://")
	port := own[strings.LastIndexByte(own, ':'):]
	if r.Host != own && r.Host != "localhost"+port {
		return "Host is neither " + own + " nor localhost" + port
	}
	if _, sent := r.Header["Origin"]; sent {
		return "the request has an Origin: the control port is not for pages in a browser"
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && !slices.Contains(sites, site) {
		return "Sec-Fetch-Site is " + site + ": the control port is not for pages in a browser"
	}
	return ""
}

// authorised compares the token in constant time, and by its hash, so that its
// length does not show either.
func (s *Server) authorised(h http.Header) bool {
	values := h.Values("Authorization")
	if len(values) != 1 {
		return false
	}
	token, ok := strings.CutPrefix(values[0], "Bearer ")
	return s.isToken(token) && ok
}

func (s *Server) isToken(text string) bool {
	sum := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(sum[:], s.token[:]) == 1
}

// pagePolicy lets a page have its own style sheet and forms, and nothing else.
const pagePolicy = "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'"

// show answers a page. It changes nothing, and a browser asks for the token: as the password,
// of any user.
func (s *Server) show(w http.ResponseWriter, r *http.Request, page Page) {
	if problem := s.foreign(r, "none", "same-origin"); problem != "" {
		refuse(w, http.StatusForbidden, problem)
		return
	}
	_, password, _ := r.BasicAuth()
	h := w.Header()
	if !s.isToken(password) && !s.authorised(r.Header) {
		h.Set("WWW-Authenticate", `Basic realm="the password is the control token"`)
		refuse(w, http.StatusUnauthorized, "the password must be the sandbox's control token")
		return
	}
	h.Set("Content-Type", page.ContentType)
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Referrer-Policy", "no-referrer")
	w.Write(page.Write(r.URL.Query()))
}

func refuse(w http.ResponseWriter, status int, problem string) {
	w.WriteHeader(status)
	w.Write(kit.MustJSON(map[string]string{"error": problem}))
}
