-- Names that were shipped in words nobody in Taiwan uses, and one that meant something else. Names that people have changed stay.
update menu set name = jsonb_set(menu.name, '{zh-tw}', to_jsonb(better.word))
from (values ('訊息任務', '訊息工單'), ('測試模型', '測試機型'), ('下發', '配發'), ('上傳日誌', '上傳記錄檔')) better(shipped, word)
where menu.key is not null and menu.name ->> 'zh-tw' = better.shipped;
update menu set name = jsonb_set(name, '{zh-cn}', to_jsonb('测试机型'::text))
where key is not null and name ->> 'zh-cn' = '测试模型';
