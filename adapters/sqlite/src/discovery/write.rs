//! Inserts and removes skills and vectors.

use super::coded::CodedVector;
use rusqlite::{Connection, OptionalExtension, Result, Transaction, TransactionBehavior, params};
use skillc_domain::model::VectorForm;
use skillc_domain::query::separate_cjk;
use skillc_ports::{IndexedSkill, SkillVector};

/// Size of texts in bytes from which FTS5 is configured for bulk writes; for less, the settings cost more than they
/// save.
const BULK_FROM_BYTES: usize = 1024 * 1024;
/// Size in bytes of the terms that FTS5 collects before it writes a segment, during bulk writes.
const BULK_HASH_BYTES: u32 = 4 * 1024 * 1024;
/// FTS5's default for the same.
const EDIT_HASH_BYTES: u32 = 1024 * 1024;

/// Begins a write transaction. A second writer waits here rather than halfway through.
fn begin(db: &mut Connection) -> Result<Transaction<'_>> {
    db.transaction_with_behavior(TransactionBehavior::Immediate)
}

/// Inserts or replaces skills and removes others, in one transaction.
pub fn change(db: &mut Connection, put: &[IndexedSkill], removed: &[String], now_s: i64) -> Result<()> {
    let transaction = begin(db)?;
    let is_bulk = put.iter().map(|entry| entry.body.len()).sum::<usize>() > BULK_FROM_BYTES;
    if is_bulk {
        configure_fts5(&transaction, 0, 64, BULK_HASH_BYTES)?;
    }
    for id in removed {
        forget(&transaction, id)?;
        forget_vector(&transaction, id)?;
    }
    for entry in put {
        // Another process may have indexed it in the meantime.
        if is_recorded(&transaction, entry)? {
            continue;
        }
        forget(&transaction, &entry.id)?;
        forget_outdated_vector(&transaction, entry)?;
        insert(&transaction, entry, now_s)?;
    }
    if is_bulk {
        configure_fts5(&transaction, 4, 16, EDIT_HASH_BYTES)?;
    }
    transaction.commit()
}

fn is_recorded(db: &Connection, entry: &IndexedSkill) -> Result<bool> {
    db.prepare_cached(
        "SELECT 1 FROM skill_records WHERE skill_id = ?1 AND digest = ?2 AND meaning = ?3 AND path = ?4",
    )?
    .exists(params![entry.id, entry.digest.0, entry.meaning.0, entry.path.to_string_lossy()])
}

fn configure_fts5(db: &Connection, automerge: u32, crisismerge: u32, hash_bytes: u32) -> Result<()> {
    let mut set = db.prepare_cached("INSERT INTO skill_texts(skill_texts, rank) VALUES (?1, ?2)")?;
    set.execute(params!["automerge", automerge])?;
    set.execute(params!["crisismerge", crisismerge])?;
    set.execute(params!["hashsize", hash_bytes])?;
    Ok(())
}

fn insert(db: &Connection, entry: &IndexedSkill, now_s: i64) -> Result<()> {
    db.prepare_cached("INSERT INTO skill_records(skill_id, path, digest, meaning) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![entry.id, entry.path.to_string_lossy(), entry.digest.0, entry.meaning.0])?;
    let row = db.last_insert_rowid();
    let (name, description) = (separate_cjk(&entry.name), separate_cjk(&entry.description));
    db.prepare_cached("INSERT INTO skill_words(rowid, name, description) VALUES (?1, ?2, ?3)")?
        .execute(params![row, name, description])?;
    let (headings, body) = (separate_cjk(&entry.headings), separate_cjk(&entry.body));
    db.prepare_cached(
        "INSERT INTO skill_texts(rowid, name, description, headings, body) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![row, name, description, headings, body])?;
    db.prepare_cached("INSERT OR REPLACE INTO skill_metadata VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![entry.id, entry.name, entry.description, entry.kind.word(), now_s])?;
    Ok(())
}

/// Removes the words of a skill.
fn forget(db: &Connection, id: &str) -> Result<()> {
    let row: Option<i64> = db
        .prepare_cached("DELETE FROM skill_records WHERE skill_id = ?1 RETURNING row")?
        .query_row([id], |row| row.get(0))
        .optional()?;
    if let Some(row) = row {
        db.prepare_cached("DELETE FROM skill_words WHERE rowid = ?1")?.execute([row])?;
        db.prepare_cached("DELETE FROM skill_texts WHERE rowid = ?1")?.execute([row])?;
    }
    db.prepare_cached("DELETE FROM skill_metadata WHERE skill_id = ?1")?.execute([id])?;
    Ok(())
}

/// Removes the vector of a skill.
fn forget_vector(db: &Connection, id: &str) -> Result<()> {
    let gone = db.prepare_cached("DELETE FROM skill_vectors WHERE skill_id = ?1")?.execute([id])?;
    if gone > 0 {
        db.prepare_cached("DELETE FROM skill_embeddings WHERE skill_id = ?1")?.execute([id])?;
    }
    Ok(())
}

/// Removes the vector of a skill if it was computed from another text.
fn forget_outdated_vector(db: &Connection, entry: &IndexedSkill) -> Result<()> {
    let is_outdated = db
        .prepare_cached("SELECT 1 FROM skill_vectors WHERE skill_id = ?1 AND meaning <> ?2")?
        .exists(params![entry.id, entry.meaning.0])?;
    if is_outdated { forget_vector(db, &entry.id) } else { Ok(()) }
}

/// Inserts the vectors whose skill is indexed with the text that they were computed from; drops the others.
pub fn put_vectors(db: &mut Connection, model: &str, vectors: &[SkillVector]) -> Result<()> {
    let transaction = begin(db)?;
    for vector in vectors {
        let meaning: Option<[u8; 32]> = transaction
            .prepare_cached("SELECT meaning FROM skill_records WHERE skill_id = ?1")?
            .query_row([&vector.id], |row| row.get(0))
            .optional()?;
        if meaning == Some(vector.meaning.0) {
            put_vector(&transaction, model, vector)?;
        }
    }
    transaction.commit()
}

/// Inserts a vector, replacing an older one.
fn put_vector(db: &Connection, model: &str, vector: &SkillVector) -> Result<()> {
    forget_vector(db, &vector.id)?;
    let form = VectorForm::of_model(model);
    let codes = (form == VectorForm::FiveBits).then(|| CodedVector::new(&vector.vector));
    db.prepare_cached("INSERT INTO skill_vectors(skill_id, model, meaning, codes) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![vector.id, model, vector.meaning.0, codes])?;
    if form == VectorForm::Floats {
        db.prepare_cached("INSERT INTO skill_embeddings(skill_id, embedding) VALUES (?1, ?2)")?
            .execute(params![vector.id, bytes(&vector.vector)])?;
    }
    Ok(())
}

/// A vector as vec0 expects it: `f32` in the machine's byte order.
pub fn bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|component| component.to_ne_bytes()).collect()
}
