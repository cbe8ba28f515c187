#!/usr/bin/env python3
"""Writes the mails of this folder, each with the reading that it must have.

The mails are made here, in the shape that the named programs give to an answer: their headers, their kinds of parts and
encodings, their words above a quotation and below a text. The readings are written by hand, not taken from a run.
"""

import base64
import json
import pathlib
import quopri

HERE = pathlib.Path(__file__).parent
MARK = "play+0bcdefghjkmnr5aaaaaaaaaaaaaaaaaaaaaaaaaa@example.org"
LETTER = "01976f0e-8c6a-7000-8000-0123456789ab@example.org"
SUBJECT = "Field Command, Ann against Bob: Day 4 has been resolved; Day 5 is open"
OLD = """Day 4 of your game as Red against Bob has been resolved.

Day 5 is open: the server waits for what you write.

It is due 1 Dec 2026, 20:00 UTC.

https://example.org/games/0bcdefghjkmn/red/days/4

DAY 4
- Red's 2nd Infantry moves from H7 to F7.
- C5-C6 is not carried out: no unit of Blue stands on C5.

--
If a browser does not know your seat, type this code there, within 7 days: ABCD-EFGH"""
ORDERS = "H7-F7\nG8-G6"

made = []


def quoted(text=OLD, sign="> "):
    return "\n".join((sign + line).rstrip() for line in text.split("\n"))


def old_html():
    return "".join(f"<p>{line}</p>" for line in OLD.replace("&", "&amp;").split("\n") if line)


def headers(mailer="", sender="Ann <ann@example.com>", ident="answer-1@mail.example.com", subject="Re: " + SUBJECT, to=MARK,
            answers=True, more=""):
    lines = ["Return-Path: <ann@example.com>", "Date: Mon, 30 Nov 2026 11:02:03 +0100", f"From: {sender}",
             f"To: Field Command <{to}>", f"Subject: {subject}"]
    if ident:
        lines.append(f"Message-ID: <{ident}>")
    if answers:
        lines += [f"In-Reply-To: <{LETTER}>", f"References: <0bcdefghjkmn.red@example.org>\n <{LETTER}>"]
    if mailer:
        lines.append(mailer)
    lines.append("MIME-Version: 1.0")
    if more:
        lines.append(more)
    return "\n".join(lines)


def expect(text, **other):
    reading = {"from": "ann@example.com", "message_id": "answer-1@mail.example.com",
               "references": [LETTER, "0bcdefghjkmn.red@example.org"], "recipients": [MARK], "automatic": None,
               "authenticated": "unknown", "unsubscribes": False, "text": text}
    reading.update(other)
    return reading


def put(name, mail, reading):
    raw = mail if isinstance(mail, bytes) else mail.encode("utf-8")
    raw = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    if isinstance(mail, bytes) and name.startswith("raw_"):
        raw = mail
    (HERE / f"{name}.eml").write_bytes(raw)
    (HERE / f"{name}.json").write_text(json.dumps(reading, ensure_ascii=False, indent=1) + "\n")
    made.append(name)


def plain(name, body, text=ORDERS, head=None, kind='text/plain; charset="UTF-8"', encoding="8bit", charset="utf-8", **other):
    head = head or headers()
    data = (body.replace("\n", "\r\n") if encoding == "base64" else body).encode(charset)
    if encoding == "quoted-printable":
        data = quopri.encodestring(data.replace(b"\r\n", b"\n"))
    elif encoding == "base64":
        data = base64.encodebytes(data)
    mail = f"{head}\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n".encode() + data + b"\n"
    put(name, mail, expect(text, **other))


def both(name, body, html, text=ORDERS, head=None, boundary="0000000000008a", encoding="quoted-printable", **other):
    def part(kind, content):
        data = content.encode("utf-8")
        data = quopri.encodestring(data) if encoding == "quoted-printable" else base64.encodebytes(data.replace(b"\n", b"\r\n"))
        return (f'--{boundary}\nContent-Type: {kind}; charset="UTF-8"\nContent-Transfer-Encoding: {encoding}\n\n'.encode() + data + b"\n")
    mail = (f'{head or headers()}\nContent-Type: multipart/alternative; boundary="{boundary}"\n\n'.encode()
            + (part("text/plain", body) if body is not None else b"") + part("text/html", html) + f"--{boundary}--\n".encode())
    put(name, mail, expect(text, **other))


def html_only(name, html, text=ORDERS, head=None, encoding="quoted-printable", **other):
    plain(name, html, text, head, 'text/html; charset="utf-8"', encoding, **other)


# ---------------------------------------------------------------- Gmail
GMAIL = headers(ident="CAF=abc+def_123@mail.gmail.com")
gid = {"message_id": "CAF=abc+def_123@mail.gmail.com"}


def gmail_html(above, attribution, below=""):
    return (f'<div dir="ltr">{above}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
            f'{attribution}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid '
            f'rgb(204,204,204);padding-left:1ex">{old_html()}</blockquote>{below}</div>\n')


ATTR = f"On Mon, Nov 30, 2026 at 11:00 AM Field Command <{MARK}> wrote:"
ATTR_HTML = f'On Mon, Nov 30, 2026 at 11:00 AM Field Command &lt;<a href="mailto:{MARK}">{MARK}</a>&gt; wrote:'
both("gmail_web_top", f"H7-F7\nG8-G6\n\nOn Mon, Nov 30, 2026 at 11:00 AM Field Command <\n{MARK}> wrote:\n\n{quoted()}\n",
     gmail_html("<div>H7-F7</div><div>G8-G6</div>", ATTR_HTML), head=GMAIL, **gid)
both("gmail_web_bottom", f"On Mon, Nov 30, 2026 at 11:00 AM Field Command <\n{MARK}> wrote:\n\n{quoted()}\n>\n\nH7-F7\nG8-G6\n",
     gmail_html("", ATTR_HTML, "<div><br></div><div>H7-F7</div><div>G8-G6</div>"), head=GMAIL, **gid)
both("gmail_web_german", f"HOLD\n\nAm Mo., 30. Nov. 2026 um 11:00 Uhr schrieb Field Command <\n{MARK}>:\n\n{quoted()}\n",
     gmail_html("HOLD", "Am Mo., 30. Nov. 2026 um 11:00 Uhr schrieb Field Command:"), "HOLD", GMAIL, **gid)
both("gmail_web_french", f"SAY À demain !\n\nLe lun. 30 nov. 2026 à 11:00, Field Command <\n{MARK}> a écrit :\n\n{quoted()}\n",
     gmail_html("SAY À demain !", "Le lun. 30 nov. 2026 à 11:00, Field Command a écrit :"), "SAY À demain !", GMAIL, **gid)
both("gmail_web_russian", f"H7-F7\nG8-G6\n\nпн, 30 нояб. 2026 г. в 11:00, Field Command <\n{MARK}>:\n\n{quoted()}\n",
     gmail_html("H7-F7<br>G8-G6", "пн, 30 нояб. 2026 г. в 11:00, Field Command:"), head=GMAIL, encoding="base64", **gid)
both("gmail_web_japanese", f"Ｈ７－Ｆ７\nＧ８ー Ｇ６\n\n2026年11月30日(月) 20:00 Field Command <{MARK}>:\n\n{quoted()}\n",
     gmail_html("Ｈ７－Ｆ７<br>Ｇ８ー Ｇ６", "2026年11月30日(月) 20:00 Field Command:"), "Ｈ７－Ｆ７\nＧ８ー Ｇ６", GMAIL,
     encoding="base64", **gid)
both("gmail_web_chinese", f"H7-F7\nG8-G6\n\nField Command <{MARK}> 于2026年11月30日周一 19:00写道：\n\n{quoted()}\n",
     gmail_html("H7-F7<br>G8-G6", "Field Command 于2026年11月30日周一 19:00写道："), head=GMAIL, encoding="base64", **gid)
both("gmail_android", f"H7-F7\nG8-G6\n\nOn Mon, Nov 30, 2026, 11:00 Field Command <{MARK}>\nwrote:\n\n{quoted()}\n",
     '<div dir="auto"><div>H7-F7</div><div dir="auto">G8-G6</div></div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
     f'On Mon, Nov 30, 2026, 11:00 Field Command wrote:<br></div><blockquote class="gmail_quote">{old_html()}</blockquote></div>',
     head=GMAIL, **gid)
both("gmail_new_mail", "STATUS ALL\n", '<div dir="ltr">STATUS ALL</div>\n', "STATUS ALL",
     headers(ident="CAF=new@mail.gmail.com", subject="status", answers=False), references=[], message_id="CAF=new@mail.gmail.com")
both("gmail_signature", f"H7-F7\nG8-G6\n\n-- \nAnn Example\n+49 30 123456\n\n\n{ATTR}\n\n{quoted()}\n",
     gmail_html('H7-F7<br>G8-G6<br><span class="gmail_signature_prefix">-- </span><br><div class="gmail_signature">Ann</div>', ATTR_HTML),
     head=GMAIL, **gid)
both("gmail_interleaved", f"{ATTR}\n\n> Day 5 is open: the server waits for what you write.\n\nH7-F7\n\n> It is due 1 Dec 2026, 20:00 UTC.\n\n"
     "G8-G6\n", gmail_html("", ATTR_HTML), "H7-F7\n\n\nG8-G6", GMAIL, **gid)

# ---------------------------------------------------------------- Outlook
OUTLOOK = headers("X-Mailer: Microsoft Outlook 16.0", ident="AM0PR01MB1234@AM0PR01MB1234.eurprd01.prod.outlook.example",
                  more="Thread-Topic: Day 5\nX-MS-Has-Attach:")
oid = {"message_id": "AM0PR01MB1234@AM0PR01MB1234.eurprd01.prod.outlook.example"}


def block(names, date="Monday, November 30, 2026 11:00 AM"):
    sender, sent, to, subject = names
    return f"{sender} Field Command <{MARK}>\n{sent} {date}\n{to} ann@example.com\n{subject} {SUBJECT}\n\n{OLD}\n"


EN = ("From:", "Sent:", "To:", "Subject:")
outlook_html = ('<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta http-equiv="Content-Type" content="text/html; '
                'charset=utf-8"><style><!--\np.MsoNormal {margin:0cm; font-size:11.0pt;}\n--></style></head><body lang="EN-GB">'
                '<div class="WordSection1"><p class="MsoNormal">H7-F7<o:p></o:p></p><p class="MsoNormal">G8-G6<o:p></o:p></p>'
                '<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt">'
                '<p class="MsoNormal"><b>From:</b> Field Command<br><b>Sent:</b> Monday, November 30, 2026 11:00 AM<br><b>To:</b> '
                f'ann@example.com<br><b>Subject:</b> {SUBJECT}</p></div></div>{old_html()}</div></body></html>')
both("outlook_desktop", f"H7-F7\nG8-G6\n\n{block(EN)}", outlook_html, head=OUTLOOK, **oid)
html_only("outlook_desktop_html_only", outlook_html, ORDERS, OUTLOOK, **oid)
both("outlook_desktop_german", "H7-F7\nG8-G6\n\n" + block(("Von:", "Gesendet:", "An:", "Betreff:"), "Montag, 30. November 2026 11:00"),
     outlook_html, head=OUTLOOK, **oid)
both("outlook_desktop_french", "H7-F7\nG8-G6\n\n" + block(("De\u00a0:", "Envoyé\u00a0:", "À\u00a0:", "Objet\u00a0:"), "lundi 30 novembre 2026 11:00"),
     outlook_html, head=OUTLOOK, **oid)
both("outlook_desktop_italian", "H7-F7\nG8-G6\n\n" + block(("Da:", "Inviato:", "A:", "Oggetto:"), "lunedì 30 novembre 2026 11:00"),
     outlook_html, head=OUTLOOK, **oid)
both("outlook_desktop_polish", "H7-F7\nG8-G6\n\n" + block(("Od:", "Wysłane:", "Do:", "Temat:"), "poniedziałek, 30 listopada 2026 11:00"),
     outlook_html, head=OUTLOOK, **oid)
both("outlook_desktop_swedish", "H7-F7\nG8-G6\n\n" + block(("Från:", "Skickat:", "Till:", "Ämne:"), "den 30 november 2026 11:00"),
     outlook_html, head=OUTLOOK, **oid)
both("outlook_desktop_japanese", "H7-F7\nG8-G6\n\n" + block(("差出人:", "送信日時:", "宛先:", "件名:"), "2026年11月30日 20:00"),
     outlook_html, head=OUTLOOK, encoding="base64", **oid)
plain("outlook_2003_plain", "H7-F7\nG8-G6\n\n-----Original Message-----\n" + block(EN), head=OUTLOOK,
      kind='text/plain;\n\tcharset="iso-8859-1"', encoding="7bit", **oid)
plain("outlook_express", f"H7-F7\nG8-G6\n----- Original Message ----- \nFrom: \"Field Command\" <{MARK}>\nTo: <ann@example.com>\n"
      f"Sent: Monday, November 30, 2026 11:00 AM\nSubject: {SUBJECT}\n\n\n{quoted()}\n", head=headers(
          "X-Mailer: Microsoft Outlook Express 6.00.2900.2180"), kind='text/plain;\n\tformat=flowed;\n\tcharset="iso-8859-1"', encoding="7bit")
web_html = ('<html><head><style type="text/css" style="display:none;"> P {margin-top:0;margin-bottom:0;} </style></head><body dir="ltr">'
            '<div class="elementToProof" style="font-family: Aptos">H7-F7</div><div class="elementToProof">G8-G6</div>'
            '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr">'
            f'<font face="Calibri"><b>From:</b> Field Command<br><b>Sent:</b> Monday, November 30, 2026 11:00 AM<br></font></div>'
            f'<div>From: x<br>Sent: y<br>{old_html()}</div></body></html>')
both("outlook_web", f"H7-F7\nG8-G6\n________________________________\n{block(EN)}", web_html, head=OUTLOOK, **oid)
both("outlook_mobile_ios", f"H7-F7\nG8-G6\n\nGet Outlook for iOS<https://aka.example/o0ukef>\n________________________________\n{block(EN)}",
     '<html><body><div dir="ltr">H7-F7</div><div dir="ltr">G8-G6</div><div id="ms-outlook-mobile-signature">Get Outlook for iOS</div>'
     '<hr><div id="divRplyFwdMsg">From: x</div></body></html>', head=OUTLOOK, **oid)
html_only("outlook_mobile_html_only", '<html><head><meta charset="utf-8"></head><body><div dir="auto" style="font-family:Aptos">H7-F7</div>'
          '<div dir="auto">G8-G6</div><div><br></div><div id="ms-outlook-mobile-signature" dir="auto">Outlook für Android beziehen</div>'
          f'<div id="mail-editor-reference-message-container"><hr><div id="divRplyFwdMsg"><b>Von:</b> x<br></div><blockquote>{old_html()}'
          '</blockquote></div></body></html>', head=OUTLOOK, encoding="base64", **oid)
plain("hotmail_utf8_bom", f"\ufeffYES\r\n\r\n________________________________\r\n{block(EN)}", "YES", OUTLOOK, encoding="base64", **oid)

# ---------------------------------------------------------------- Apple
APPLE = headers("X-Mailer: Apple Mail (2.3826.200.121)", ident="5F0C1B1E-1111-2222-3333-444455556666@example.com")
aid = {"message_id": "5F0C1B1E-1111-2222-3333-444455556666@example.com"}
plain("apple_mail", f"H7-F7\nG8-G6\n\n> On 30. Nov 2026, at 11:00, Field Command <{MARK}> wrote:\n> \n{quoted()}\n", head=APPLE,
      kind="text/plain;\n\tcharset=us-ascii", encoding="7bit", **aid)
both("apple_mail_german", f"H7–F7\nG8–G6\n\n> Am 30.11.2026 um 11:00 schrieb Field Command <{MARK}>:\n> \n{quoted()}\n\n",
     f'<html><head></head><body>H7–F7<div>G8–G6<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite">{old_html()}'
     '</blockquote></div></div></body></html>', "H7–F7\nG8–G6", APPLE, **aid)
IPHONE = headers("X-Mailer: iPhone Mail (23B85)", ident="AA11BB22-1111-2222-3333-444455556666@example.com")
iid = {"message_id": "AA11BB22-1111-2222-3333-444455556666@example.com"}
both("iphone", f"H7-F7\nG8-G6\n\nSent from my iPhone\n\n> On 30 Nov 2026, at 11:00, Field Command <{MARK}> wrote:\n> \n> ﻿\n{quoted()}\n",
     '<html><body dir="auto">H7-F7<div>G8-G6</div><div><br><div dir="ltr">Sent from my iPhone</div></div></body></html>', head=IPHONE, **iid)
plain("iphone_french", f"Hold\n\nEnvoyé de mon iPhone\n\n> Le 30 nov. 2026 à 11:00, Field Command <{MARK}> a écrit :\n> \n{quoted()}\n",
      "Hold", IPHONE, "text/plain; charset=utf-8", "quoted-printable", **iid)
plain("iphone_japanese", f"H7-F7\nG8-G6\n\niPhoneから送信\n\n2026/11/30 20:00、Field Command <{MARK}>のメール:\n\n{quoted('﻿' + OLD)}\n",
      head=IPHONE, kind="text/plain; charset=utf-8", encoding="base64", **iid)
plain("iphone_smart_dashes", f"H7—F7\nG8 – G6\n\nVon meinem iPhone gesendet\n\n> Am 30.11.2026 um 11:00 schrieb Field Command <{MARK}>:\n> \n{quoted()}\n",
      "H7—F7\nG8 – G6", IPHONE, "text/plain; charset=utf-8", "quoted-printable", **iid)
html_only("iphone_html_only", '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto">'
          '<div dir="ltr"></div><div dir="ltr">H7-F7</div><div dir="ltr">G8-G6</div><div dir="ltr"><br>Enviado desde mi iPhone</div>'
          f'<div dir="ltr"><br><blockquote type="cite">El 30 nov 2026, a las 11:00, Field Command escribió:<br><br></blockquote></div>'
          f'<blockquote type="cite"><div dir="ltr">{old_html()}</div></blockquote></body></html>', head=IPHONE, **iid)

# ---------------------------------------------------------------- Thunderbird, mutt, others of that kind
TB = headers("User-Agent: Mozilla Thunderbird", ident="f1e2d3c4-0000-1111-2222-333344445555@example.com", more="Content-Language: en-GB")
tid = {"message_id": "f1e2d3c4-0000-1111-2222-333344445555@example.com"}
FLOWED = "text/plain; charset=UTF-8; format=flowed"
plain("thunderbird_bottom", f"On 30/11/2026 11:00, Field Command wrote:\n{quoted()}\n\nH7-F7\nG8-G6\n\n-- \nAnn\n", head=TB, kind=FLOWED,
      encoding="8bit", **tid)
plain("thunderbird_top_german", f"H7-F7\nG8-G6\n\nAm 30.11.26 um 11:00 schrieb Field Command:\n{quoted()}\n", head=TB, kind=FLOWED, encoding="8bit", **tid)
plain("thunderbird_flowed", "SAY A well placed gun: it took me three days to see where it \nstood, and two more to believe it.\n\n"
      f"On 30/11/2026 11:00, Field Command wrote:\n{quoted()}\n",
      "SAY A well placed gun: it took me three days to see where it stood, and two more to believe it.", TB, FLOWED, "7bit", **tid)
plain("thunderbird_delsp", f"H7-F \n7\nG8-G6\n\nOn 30/11/2026 11:00, Field Command wrote:\n{quoted()}\n", head=TB, kind=FLOWED + "; delsp=yes",
      encoding="7bit", **tid)
plain("thunderbird_latin1", f"SAY Schöne Grüße!\n\nAm 30.11.26 um 11:00 schrieb Field Command:\n{quoted()}\n", "SAY Schöne Grüße!", TB,
      "text/plain; charset=ISO-8859-1; format=flowed", "8bit", "iso-8859-1", **tid)
html_only("thunderbird_html", f'<!DOCTYPE html><html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head><body>'
          f'<div class="moz-cite-prefix">On 30/11/2026 11:00, Field Command wrote:<br></div><blockquote type="cite" cite="mid:{LETTER}">'
          f'{old_html()}</blockquote><p>H7-F7<br>G8-G6</p><div class="moz-signature">-- <br>Ann</div></body></html>', head=TB, **tid)
MUTT = headers("User-Agent: Mutt/2.2.13", ident="Zyx123@example.com")
plain("mutt", f"On Mon, Nov 30, 2026 at 10:00:00AM +0000, Field Command wrote:\n{quoted()}\n\nH7-F7\nG8-G6\n", head=MUTT,
      kind="text/plain; charset=us-ascii\nContent-Disposition: inline", encoding="8bit", message_id="Zyx123@example.com")
plain("neomutt_no_space_quotes", "H7-F7\nG8-G6\n\n* Field Command <" + MARK + f"> [2026-11-30 11:00]:\n\n{quoted(sign='>')}\n", head=MUTT,
      encoding="8bit", message_id="Zyx123@example.com")
plain("gnus", f'Field Command <{MARK}> writes:\n\n{quoted()}\n\nH7-F7\nG8-G6\n', ORDERS,
      headers("User-Agent: Gnus/5.13 (Gnus v5.13)"))
plain("kmail", f"Am Montag, 30. November 2026, 11:00:00 Mitteleuropäische Normalzeit schrieb \nField Command:\n{quoted()}\n\nH7-F7\nG8-G6\n\n",
      head=headers("User-Agent: KMail/5.24"), encoding="quoted-printable")
plain("evolution", f"On Mon, 2026-11-30 at 10:00 +0000, Field Command wrote:\n{quoted()}\n\nH7-F7\nG8-G6\n", head=headers("User-Agent: Evolution 3.54"))
plain("claws", f"H7-F7\nG8-G6\n\nOn Mon, 30 Nov 2026 10:00:00 +0000\nField Command <{MARK}> wrote:\n\n{quoted()}\n",
      head=headers("X-Mailer: Claws Mail 4.3.0"), kind="text/plain; charset=US-ASCII", encoding="7bit")
plain("alpine", f"H7-F7\nG8-G6\n\nOn Mon, 30 Nov 2026, Field Command wrote:\n\n{quoted()}\n", head=headers("User-Agent: Alpine 2.26"),
      kind="text/plain; format=flowed; charset=US-ASCII", encoding="7bit")

# ---------------------------------------------------------------- Telephones
plain("k9_top", f"H7-F7\nG8-G6\n\nAm 30. November 2026 11:00:00 MEZ schrieb Field Command <{MARK}>:\n{quoted(sign='>')}\n",
      head=headers("User-Agent: K-9 Mail for Android"), encoding="quoted-printable")
both("k9_bottom", f"On 30 November 2026 11:00:00 CET, Field Command <{MARK}> wrote:\n{quoted(sign='>')}\n\nH7-F7\nG8-G6\n-- \nSent from my Android device "
     "with K-9 Mail. Please excuse my brevity.", "<html><body>H7-F7</body></html>", head=headers("User-Agent: K-9 Mail for Android"))
both("samsung_mail", f"H7-F7\nG8-G6\n\n\n\nSent from my Galaxy\n\n\n-------- Original message --------\nFrom: Field Command <{MARK}> \n"
     f"Date: 30/11/2026  11:00  (GMT+01:00) \nTo: ann@example.com \nSubject: {SUBJECT} \n\n{OLD}\n", '<html><body dir="auto">H7-F7<div dir="auto">'
     'G8-G6</div></body></html>', head=headers(ident="x.1@samsung.example"), encoding="base64", message_id="x.1@samsung.example")
plain("blackberry", f"H7-F7\nG8-G6\n\nSent from my BlackBerry — the most secure mobile device\n\n  Original Message  \n\nFrom: {MARK}\n"
      f"Sent: 30 November 2026 11:00\nTo: ann@example.com\nSubject: {SUBJECT}\n\n{OLD}\n", encoding="base64")

# ---------------------------------------------------------------- Webmails
plain("yahoo_web", f" H7-F7\nG8-G6\n    On Monday, November 30, 2026 at 11:00:00 AM GMT+1, Field Command <{MARK}> wrote:  \n \n {OLD}\n  ",
      head=headers("X-Mailer: WebService/1.1.24866 YMailNorrin"))
both("yahoo_web_alternative", f" H7-F7\nG8-G6\n    On Monday, November 30, 2026 at 11:00:00 AM GMT+1, Field Command <{MARK}> wrote:  \n \n {OLD}\n  ",
     '<html><head></head><body><div class="ydp1yahoo-style-wrap"><div dir="ltr">H7-F7</div><div dir="ltr">G8-G6</div></div>'
     f'<div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted"><div>On Monday wrote:</div>{old_html()}</div></body></html>')
html_only("yahoo_html_only", '<html><head></head><body><div class="ydp1yahoo-style-wrap"><div dir="ltr">H7-F7</div><div dir="ltr">G8-G6</div></div>'
          f'<div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted"><div>On Monday wrote:</div>{old_html()}</div></body></html>', encoding="base64")
plain("yahoo_android", f"H7-F7\nG8-G6\n\nSent from Yahoo Mail on Android \n \n  On Mon, 30 Nov 2026 at 11:00, Field Command<{MARK}> wrote:   {OLD}\n")
html_only("gmx_html_only", '<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;"><div>H7-F7</div><div>G8-G6</div><div>&nbsp;'
          '<div name="quote" style="margin:10px 5px 5px 10px;"><div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Montag, 30. November 2026 um '
          f'11:00 Uhr<br/><b>Von:</b>&nbsp;"Field Command"<br/><b>An:</b>&nbsp;ann@example.com<br/><b>Betreff:</b>&nbsp;{SUBJECT}</div>'
          f'<div name="quoted-content">{old_html()}</div></div></div></div></body></html>', head=headers("X-Mailer: GMX Web", ident="trinity-1@3c-app-gmx"),
          message_id="trinity-1@3c-app-gmx")
plain("gmx_plain", "H7-F7\nG8-G6\n \n\nGesendet: Montag, 30. November 2026 um 11:00 Uhr\nVon: \"Field Command\" <" + MARK
      + f">\nAn: ann@example.com\nBetreff: {SUBJECT}\n\n{OLD}\n", encoding="quoted-printable")
both("proton", "H7-F7\nG8-G6\n\n\n\nSent with [Proton Mail](https://proton.example/mail/home) secure email.\n\n"
     f"On Monday, 30 November 2026 at 11:00, Field Command <{MARK}> wrote:\n\n{quoted()}\n",
     f'<div style="font-family: Arial">H7-F7<br>G8-G6</div><div class="protonmail_signature_block">Sent with</div><div class="protonmail_quote">On '
     f'Monday wrote:<br><blockquote class="protonmail_quote" type="cite">{old_html()}</blockquote></div>', encoding="base64")
plain("proton_old", f"H7-F7\nG8-G6\n\nSent with Proton Mail secure email.\n\n------- Original Message -------\nOn Monday, November 30th, 2026 at 11:00, "
      f"Field Command <{MARK}> wrote:\n\n\n{quoted()}\n", encoding="quoted-printable")
plain("roundcube", f"Field Command schrieb am 2026-11-30 11:00:\n{quoted()}\n\nH7-F7\nG8-G6\n",
      "H7-F7\nG8-G6", headers("User-Agent: Roundcube Webmail/1.6.9"), 'text/plain; charset=US-ASCII;\n format=flowed', "7bit")
plain("squirrelmail", f"H7-F7\nG8-G6\n\n{quoted()}\n>\n\n\n", head=headers("User-Agent: SquirrelMail/1.4.23"), kind="text/plain;charset=utf-8")
plain("horde", f"Zitat von Field Command <{MARK}>:\n\n{quoted()}\n\nH7-F7\nG8-G6\n", ORDERS,
      headers("User-Agent: Horde Application Framework 5"), 'text/plain; charset=utf-8; format=flowed; DelSp=Yes')
plain("qq_mail", f"H7-F7\nG8-G6\n\n\n\n\n------------------&nbsp;原始邮件&nbsp;------------------\n发件人: \"Field Command\" <{MARK}>;\n"
      "发送时间: 2026年11月30日(星期一) 晚上6:00\n收件人: \"ann\"<ann@example.com>;\n主题: " + SUBJECT + f"\n\n\n\n{OLD}\n",
      encoding="base64")
plain("netease_163", f"H7-F7\nG8-G6\n\n\n\n\n\n\n\n\n\n\n在 2026-11-30 18:00:00，\"Field Command\" <{MARK}> 写道：\n\n{OLD}\n",
      kind="text/plain; charset=GBK", encoding="base64", charset="gbk")
plain("web_de_app", "YES\n-- \nDiese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.\nAm 30.11.26, 11:00, Field Command <" + MARK
      + f"> schrieb:\n{OLD}\n", "YES", encoding="quoted-printable")
both("fastmail", f"H7-F7\nG8-G6\n\nOn Mon, 30 Nov 2026, at 10:00 AM, Field Command wrote:\n{quoted()}\n",
     f'<div>H7-F7</div><div>G8-G6</div><div><br></div><blockquote type="cite" id="qt">{old_html()}</blockquote>',
     head=headers("User-Agent: Cyrus-JMAP/3.11"), encoding="quoted-printable")

# ---------------------------------------------------------------- Characters and encodings
plain("iso_2022_jp", f"SAY こんにちは\n\n2026年11月30日(月) 20:00 Field Command <{MARK}>:\n{quoted()}\n", "SAY こんにちは",
      kind="text/plain; charset=iso-2022-jp", encoding="7bit", charset="iso-2022-jp")
plain("utf_16", "H7-F7\nG8→G6\n", "H7-F7\nG8→G6", kind="text/plain; charset=utf-16", encoding="base64", charset="utf-16")
plain("utf_16le_no_bom", "H7-F7\nG8-G6\n", kind="text/plain; charset=utf-16le", encoding="base64", charset="utf-16-le")
plain("windows_1252", "SAY “Well” – played…\n", "SAY “Well” – played…", kind="text/plain; charset=windows-1252", encoding="quoted-printable",
      charset="cp1252")
plain("koi8_r", "SAY Хорошо\n\n30.11.2026 13:00, Field Command пишет:\n" + quoted() + "\n", "SAY Хорошо", kind="text/plain; charset=koi8-r",
      encoding="8bit", charset="koi8-r")
plain("euc_kr", "SAY 안녕\n", "SAY 안녕", kind="text/plain; charset=euc-kr", encoding="base64", charset="euc-kr")
plain("nbsp_and_zero_width", "H7\u200b-\u200bF7\u00a0\nG8\u2011G6\u00ad\n", "H7-F7\nG8‑G6")
plain("nul_bytes", "H7-F7\x00\nG8-\x00G6\n", "H7-F7\nG8-G6")
plain("no_charset", "H7-F7\nG8-G6\n", kind="text/plain", encoding="7bit")
plain("unknown_charset", "H7-F7\nG8-G6\n", kind="text/plain; charset=x-martian", encoding="8bit")
put("raw_lf_only", (headers() + "\n\nH7-F7\nG8-G6\n").encode(), expect(ORDERS))
put("raw_cr_mixed", (headers().replace("\n", "\r\n") + "\r\n\r\nH7-F7\rG8-G6\r\n").encode(), expect(ORDERS))
put("empty_body", headers() + "\n\n", expect(""))

# ---------------------------------------------------------------- Kinds of parts
put("attachment_first", f"""{headers()}
Content-Type: multipart/mixed; boundary=mixed

--mixed
Content-Type: text/plain; name="notes.txt"
Content-Disposition: attachment; filename="notes.txt"

I2-H2
--mixed
Content-Type: text/plain; charset=utf-8

H7-F7
G8-G6
--mixed
Content-Type: application/pdf; name="map.pdf"
Content-Disposition: attachment; filename="map.pdf"
Content-Transfer-Encoding: base64

JVBERi0=
--mixed--
""", expect(ORDERS))
put("apple_mail_picture_between", f"""{APPLE}
Content-Type: multipart/mixed; boundary="Apple-Mail=_1"

--Apple-Mail=_1
Content-Type: text/plain; charset=us-ascii
Content-Transfer-Encoding: 7bit

H7-F7
G8-G6


--Apple-Mail=_1
Content-Disposition: inline; filename=board.png
Content-Type: image/png; name="board.png"
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--Apple-Mail=_1
Content-Type: text/plain; charset=us-ascii
Content-Transfer-Encoding: 7bit


I2-H2
--Apple-Mail=_1--
""", expect(ORDERS, **aid))
put("signed_pgp", f"""{TB}
Content-Type: multipart/signed; micalg=pgp-sha512; protocol="application/pgp-signature"; boundary="signed"

This is an OpenPGP/MIME signed message (RFC 4880 and 3156)
--signed
Content-Type: multipart/mixed; boundary="inner"; protected-headers="v1"

--inner
Content-Type: text/plain; charset=UTF-8; format=flowed
Content-Transfer-Encoding: quoted-printable

H7-F7
G8-G6

On 30/11/2026 11:00, Field Command wrote:
> old =E2=80=93 words
--inner--

--signed
Content-Type: application/pgp-signature; name="OpenPGP_signature.asc"
Content-Disposition: attachment; filename="OpenPGP_signature"

-----BEGIN PGP SIGNATURE-----
-----END PGP SIGNATURE-----
--signed--
""", expect(ORDERS, **tid))
both("empty_text_part", "\n \n", "<div>H7-F7</div><div>G8-G6</div>")
html_only("html_table_and_entities", "<html><body><table><tr><td>I2</td><td>H7&rarr;F7</td></tr><tr><td></td><td>G8&#8211;G6</td></tr></table></body></html>",
          "I2 H7→F7\nG8–G6")
html_only("html_glued_divs", "<div>H7-F7</div><div>G8-G6</div><div><span style='display:none'>I2-H2</span></div>")
html_only("html_unclosed", "<html><body><p>H7-F7<p>G8-G6<blockquote><p>I2-H2", "H7-F7\nG8-G6")
put("forwarded_as_attachment", f"""{headers()}
Content-Type: multipart/mixed; boundary=mixed

--mixed
Content-Type: text/plain

HELP
--mixed
Content-Type: message/rfc822
Content-Disposition: attachment

From: Field Command <{MARK}>
Subject: old

I2-H2
--mixed--
""", expect("HELP"))
inner = "Content-Type: message/rfc822\n\n" * 20 + "From: ben@example.com\n\nI2-H2\n"
put("encoded_message", f"""{headers()}
Content-Type: multipart/mixed; boundary=mixed

--mixed
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: base64

{base64.b64encode(ORDERS.encode()).decode()}
--mixed
Content-Type: message/rfc822
Content-Transfer-Encoding: base64

{base64.encodebytes(inner.encode()).decode()}--mixed--
""", expect(ORDERS))
put("broken_boundary", f"""{headers()}
Content-Type: multipart/alternative; boundary="a"

--a
Content-Type: text/plain

H7-F7
G8-G6
""", expect(ORDERS))

# ---------------------------------------------------------------- Who and for whom
plain("two_senders", "YES\n", "YES", headers(sender="Ann <ann@example.com>, Bob <bob@example.com>"), **{"from": None})
plain("encoded_name", "YES\n", "YES", headers(sender="=?utf-8?q?Ann=0D=0ABcc:_x=40example.com?= <Ann@Example.com>"), **{"from": "Ann@Example.com"})
plain("no_message_id", "YES\n", "YES", headers(ident=None), message_id=None)
plain("fetchmail_delivered_to", "YES\n", "YES",
      f"Delivered-To: {MARK}\nX-Original-To: {MARK}\n" + headers(to="play@example.org"), recipients=[MARK, "play@example.org"])
plain("authenticated", "YES\n", "YES", "Authentication-Results: mx.example.org;\n\tdkim=pass header.d=example.com;\n\tspf=fail "
      "smtp.mailfrom=example.com; dmarc=pass (p=NONE) header.from=example.com\nAuthentication-Results: mx.example.org; dmarc=fail\n" + headers())
plain("authentication_failed", "YES\n", "YES", "Authentication-Results: mx.evil.example; dmarc=pass\nAuthentication-Results: mx.example.org; dkim=none; "
      "dmarc=fail header.from=example.com\n" + headers(), authenticated="fail")
plain("authentication_by_strangers", "YES\n", "YES", "Authentication-Results: mx.evil.example; dmarc=pass\n" + headers())

plain("unsubscribe_button", "This message was automatically generated by Gmail.\n", "This message was automatically generated by Gmail.",
      headers(subject="unsubscribe", answers=False), references=[], unsubscribes=True)

# ---------------------------------------------------------------- Nobody wrote these
plain("auto_gmail_vacation", "I am away. H7-F7\n", "I am away. H7-F7", headers(subject="Out of office Re: " + SUBJECT,
      more="Auto-Submitted: auto-replied\nPrecedence: bulk\nX-Autoreply: yes"), automatic="auto_submitted")
plain("auto_exchange", "I am away.\n", "I am away.", headers(subject="Automatic reply: " + SUBJECT,
      more="X-Auto-Response-Suppress: All\nauto-submitted: auto-generated"), automatic="auto_submitted")
plain("auto_outlook_german_subject", "Ich bin nicht da.\n", "Ich bin nicht da.",
      headers(subject="=?utf-8?q?Automatische_Antwort:_Re:_Tag_5?="), automatic="out_of_office")
plain("auto_subject_japanese", "不在です。\n", "不在です。", headers(subject="=?utf-8?b?" + base64.b64encode("自動応答: 不在".encode()).decode() + "?="),
      automatic="out_of_office")
plain("auto_unix_vacation", "I am on vacation.\n", "I am on vacation.", headers(subject="away from my mail", more="Precedence: junk"), automatic="precedence")
plain("auto_null_sender", "I am away.\n", "I am away.", headers().replace("Return-Path: <ann@example.com>", "Return-Path: <>"), automatic="null_sender")
plain("auto_list", "YES\n", "YES", headers(more="List-Id: <games.lists.example.com>\nPrecedence: list"), automatic="precedence")
plain("auto_list_unsubscribe_only", "YES\n", "YES", headers(more="List-Unsubscribe: <https://lists.example.com/u>"), automatic="list")
plain("auto_submitted_no", "YES\n", "YES", headers(more="Auto-Submitted: no"))
put("auto_dsn", f"""Return-Path: <>
Date: Mon, 30 Nov 2026 11:02:03 +0100
From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
To: {MARK}
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="report"
Message-ID: <dsn-1@mx.example.com>

--report
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.
--report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; ann@example.com
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 User unknown
--report
Content-Type: text/rfc822-headers

Message-ID: <{LETTER}>
Subject: {SUBJECT}
--report--
""", expect("I'm sorry to have to inform you that your message could not be delivered.", automatic="auto_submitted", references=[],
             message_id="dsn-1@mx.example.com", **{"from": "MAILER-DAEMON@mx.example.com"}))

if __name__ == "__main__":
    for kept in HERE.glob("*.eml"):
        if kept.stem not in made:
            kept.unlink()
            kept.with_suffix(".json").unlink(missing_ok=True)
    print(len(made), "mails")
