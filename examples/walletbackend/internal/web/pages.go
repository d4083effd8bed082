package web

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"strconv"
	"time"
	"unicode"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/services"
)

//go:embed templates
var templateFiles embed.FS

// pages are the templates, by name. html/template escapes whatever services send,
// such as a token's symbol with markup.
type pages map[string]*template.Template

// page is the data of every template.
type page struct {
	Title   string
	Data    any
	Sandbox bool // whether there are switches for the sandbox
	*visit
}

// Name is the user's, empty if no one has signed in.
func (p page) Name() string { return p.user.Name }

// CSRF is the token that a form sends back.
func (p page) CSRF() string { return p.session.CSRF }

// Here reports whether path is this page's.
func (p page) Here(path string) bool { return p.URL.Path == path }

// Query is a parameter of the page's address.
func (p page) Query(name string) string { return p.FormValue(name) }

var pageNames = []string{"login", "portfolio", "prices", "swap", "lending", "burn", "activity", "payment", "failure"}

func parsePages() (pages, error) {
	functions := template.FuncMap{
		"short":   services.Short,
		"percent": func(d walletfi.Decimal) string { return strconv.FormatFloat(100*d.Float64(), 'f', 1, 64) + " %" },
		"time":    func(t time.Time) string { return t.UTC().Format("2 Jan 15:04:05 UTC") },
	}
	all := pages{}
	for _, name := range pageNames {
		t, err := template.New("layout.html").Funcs(functions).ParseFS(templateFiles, "templates/layout.html",
			"templates/"+name+".html")
		if err != nil {
			return nil, err
		}
		all[name] = t
	}
	return all, nil
}

// render writes a page, or nothing of it if a template fails.
func (p pages) render(w http.ResponseWriter, status int, name string, data page) error {
	var text bytes.Buffer
	if err := p[name].Execute(&text, data); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, err := w.Write(bytes.Map(visible, text.Bytes()))
	return err
}

// visible drops what turns the direction of text around or cannot be seen, wherever it
// came from: with such characters in a token's symbol, an amount or an address beside it
// reads as another one. The joiners that scripts and emoji need stay.
func visible(r rune) rune {
	switch {
	case r == '\n' || r == '\t' || r == '\u200c' || r == '\u200d':
		return r
	case unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r):
		return -1
	}
	return r
}

// show answers with a page.
func (s *Server) show(w http.ResponseWriter, v *visit, name, title string, data any) error {
	return s.pages.render(w, http.StatusOK, name, page{Title: title, Data: data, Sandbox: s.Control != nil, visit: v})
}

// back sends the browser to another page after a form.
func back(w http.ResponseWriter, v *visit, to string) error {
	http.Redirect(w, v.Request, to, http.StatusSeeOther)
	return nil
}
